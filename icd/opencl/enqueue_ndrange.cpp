// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clEnqueueNDRangeKernel, clEnqueueTask, clGetKernelSuggestedLocalWorkSizeKHR.
#include "icd/opencl/api.h"
#include "icd/opencl/enqueue.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/launch.h"

#include <algorithm>

namespace us::opencl {

ExpectedRef<ClKernel> kernelFor(const ClQueue &queue, cl_kernel handle) {
  // "CL_INVALID_KERNEL if kernel is not a valid kernel object."
  US_TRY(ClKernel & kernel, fromHandle<ClKernel>(handle));
  // "CL_INVALID_CONTEXT if context associated with command_queue and kernel are not the same"
  if (kernel.program->context != queue.context)
    return fail(ErrorCode::InvalidContext, "the kernel is of another context");
  return kernel;
}

namespace {

Expected<void> readRange(const DeviceInfo &device, cl_uint dimensions, const size_t *offset, const size_t *global,
                         LaunchRange &range) {
  // "CL_INVALID_WORK_DIMENSION if work_dim is not a valid value (i.e. a value between 1 and
  // CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS)."
  if (dimensions < 1 || dimensions > device.maxWorkItemDimensions)
    return fail(ErrorCode::InvalidWorkDimension,
                icd::format("{} dimensions, the device has 1 to {}", dimensions, device.maxWorkItemDimensions));
  range.dimensions = dimensions;
  // "If global_work_size is NULL, or the value in any passed dimension is 0 then the kernel command will trivially
  // succeed after its event dependencies are satisfied and subsequently update its completion event."
  range.empty = !global;
  uint64_t most = device.addressBits >= 64 ? UINT64_MAX : (uint64_t(1) << device.addressBits) - 1;
  for (cl_uint i = 0; i < dimensions; ++i) {
    range.global[i] = global ? global[i] : 0;
    range.offset[i] = offset ? offset[i] : 0;
    range.empty |= range.global[i] == 0;
    // "CL_INVALID_GLOBAL_WORK_SIZE if any of the values specified in global_work_size ... exceed the maximum value
    // representable by size_t on the device"
    if (range.global[i] > most)
      return fail(ErrorCode::InvalidGlobalWorkSize, icd::format("global size {} in dimension {}", range.global[i], i));
    // "CL_INVALID_GLOBAL_OFFSET if the value specified in global_work_size + the corresponding values in
    // global_work_offset for any dimensions is greater than the maximum value representable by size_t on the device"
    if (range.offset[i] > most - range.global[i])
      return fail(ErrorCode::InvalidGlobalOffset,
                  icd::format("offset {} and size {} in dimension {}", range.offset[i], range.global[i], i));
  }
  return {};
}

/// The local size of a launch; zeros leave the choice to the device.
Expected<Size3> localSizeFrom(const DeviceInfo &device, const KernelInfo &kernel, const LaunchRange &range,
                              const size_t *local) {
  const Size3 &required = kernel.requiredWorkGroupSize;
  bool hasRequired = required[0] != 0;
  if (!local) return hasRequired ? required : Size3{0, 0, 0};
  Size3 size{1, 1, 1};
  uint64_t total = 1;
  for (cl_uint i = 0; i < range.dimensions; ++i) {
    size[i] = local[i];
    // "CL_INVALID_WORK_GROUP_SIZE if local_work_size is specified and ... the total number of work-items in the
    // work-group
    // ... is zero"
    if (local[i] == 0) return fail(ErrorCode::InvalidWorkGroupSize, icd::format("local size 0 in dimension {}", i));
    // "CL_INVALID_WORK_ITEM_SIZE if the number of work-items specified in any of local_work_size[0], ... is greater
    // than the corresponding values specified by CL_DEVICE_MAX_WORK_ITEM_SIZES"
    if (local[i] > device.maxWorkItemSizes[i])
      return fail(ErrorCode::InvalidWorkItemSize, icd::format("local size {} in dimension {}, the device has {}",
                                                              local[i], i, device.maxWorkItemSizes[i]));
    total *= local[i];
  }
  // "CL_INVALID_WORK_GROUP_SIZE if local_work_size is specified and the total number of work-items in the work-group
  // computed as local_work_size[0] x ... is greater than the value specified by CL_KERNEL_WORK_GROUP_SIZE"
  // Whether one kernel has less is the device's to say: real drivers take more than they answer.
  const uint64_t most = device.maxWorkGroupSize;
  if (total > most)
    return fail(ErrorCode::InvalidWorkGroupSize, icd::format("{} work-items in a work-group, at most {}", total, most));
  // "CL_INVALID_WORK_GROUP_SIZE if local_work_size is specified and does not match the required work-group size for
  // kernel in the program source."
  if (hasRequired && size != required)
    return fail(ErrorCode::InvalidWorkGroupSize,
                icd::format("local size {} x {} x {}, the kernel requires {} x {} x {}", size[0], size[1], size[2],
                            required[0], required[1], required[2]));
  // "CL_INVALID_WORK_GROUP_SIZE if the work-group size must be uniform and the local_work_size is not NULL ... and the
  // global_work_size is not evenly divisible by the local_work_size."
  if (kernel.uniformWorkGroups || !device.nonUniformWorkGroups)
    for (cl_uint i = 0; i < range.dimensions; ++i)
      if (range.global[i] % size[i])
        return fail(ErrorCode::InvalidWorkGroupSize, icd::format("global size {} is not a multiple of local size {} in "
                                                                 "dimension {} of a kernel with uniform work-groups",
                                                                 range.global[i], size[i], i));
  return size;
}

} // namespace

Expected<LaunchRange> launchRangeFrom(const DeviceInfo &device, cl_uint dimensions, const size_t *offset,
                                      const size_t *global) {
  LaunchRange range;
  US_CHECK(readRange(device, dimensions, offset, global, range));
  return range;
}

Expected<bool> fillLaunch(ClQueue &queue, ClKernel &kernel, const LaunchRange &range, const size_t *local,
                          Command &command, core::KeepList &keep) {
  LaunchCommand &launch = command.emplace<LaunchCommand>();
  // "CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built program executable available for device associated
  // with command_queue." "CL_INVALID_KERNEL_ARGS if the kernel argument values have not been specified." and what an
  // argument may lack (memory, alignment): the core packs the arguments as they are now.
  Expected<bool> prepared = kernel.core->prepareLaunch(queue.coreDevice(), launch, keep);
  if (ApiChecks *const checks = apiChecks(); checks && !prepared) checks->failedLaunch(kernel);
  US_TRY(const bool isAtHand, std::move(prepared));
  US_TRY(launch.localSize, localSizeFrom(queue.device->info(), launch.kernel->info(), range, local));
  launch.workDimensions = range.dimensions;
  launch.globalOffset = range.offset;
  launch.globalSize = range.global;
  if (apiChecks()) launch.enqueuedAt = ApiChecks::site();
  if (range.empty) command = NoCommand{};
  return isAtHand;
}

Expected<void> checkRecordedKernel(const ClQueue &queue, const ClKernel &kernel) {
  US_TRY(Ref<DeviceKernel> onDevice, kernel.core->on(queue.coreDevice()));
  // "CL_INVALID_OPERATION if the device associated with command_queue does not support
  // CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR and kernel contains a kernel-enqueue call."
  const DeviceInfo &device = queue.device->info();
  if (onDevice->info().usesDeviceQueue && device.maxDeviceQueues == 0)
    return fail(ErrorCode::InvalidOperation, "kernel " + onDevice->info().name + " enqueues kernels, and " +
                                                 device.name + " has no queues for that");
  return {};
}

namespace {

Expected<void> launch(CommandBuilder &command, cl_kernel kernelHandle, cl_uint dimensions, const size_t *offset,
                      const size_t *global, const size_t *local) {
  ClQueue &queue = command.queue();
  US_TRY(ClKernel & kernel, kernelFor(queue, kernelHandle));
  US_TRY(LaunchRange range, launchRangeFrom(queue.device->info(), dimensions, offset, global));
  US_TRY(command.request.isAtHand,
         fillLaunch(queue, kernel, range, local, command.request.command, command.request.keep));
  return command.enqueue();
}

} // namespace

namespace {

/// A launch that waits for others, or whose event somebody wants.
Expected<bool> launchAgain(ClQueue &queue, const core::PreparedLaunch &launch, const LaunchShape &shape,
                           const EventParameters &events) {
  PassedList after;
  if (events.count || events.list) {
    if (!events.list) return false;
    after = passedListFrom(queue, events.count, events.list);
    if (after.empty()) return false;
  }
  if (!events.event) return queue.core->launchAgain(launch, shape, after);
  if (queue.core->isProfiling()) return false;
  US_TRY(Ref<ClEvent> event, makeObject<ClEvent>());
  PassedCommand passed;
  US_TRY(const bool isDone, queue.core->launchAgain(launch, shape, after, &passed));
  if (!isDone) return false;
  event->queue = Ref<ClQueue>(&queue);
  event->context = queue.context;
  event->standFor(passed);
  *events.event = giveToApplication(std::move(event));
  return true;
}

/// Most launches are of a kernel whose arguments are those of the launch before, and wait for such launches at most.
/// True: the device has it. False, and nothing was done: it is another one, or something is wrong with it.
Expected<bool> launchAgain(cl_command_queue queueHandle, cl_kernel kernelHandle, cl_uint dimensions,
                           const size_t *offset, const size_t *global, const size_t *local,
                           const EventParameters &events) {
  ClQueue *const queue = objectBehind<ClQueue>(queueHandle);
  ClKernel *const kernel = objectBehind<ClKernel>(kernelHandle);
  if (!queue || !queue->core || !queue->core->mayPassAgain() || apiChecks()) return false;
  if (!kernel || kernel->program->context != queue->context) return false;
  const core::PreparedLaunch launch = queue->core->prepared(*kernel->core);
  if (!launch.kernel) return false;
  const DeviceInfo &device = queue->device->info();
  LaunchRange range;
  if (!readRange(device, dimensions, offset, global, range) || range.empty) return false;
  const auto size = localSizeFrom(device, launch.kernel->info(), range, local);
  if (!size) return false;
  noteContext(*queue->context);
  const LaunchShape shape{range.dimensions, range.offset, range.global, *size};
  if (events.count || events.list || events.event) return launchAgain(*queue, launch, shape, events);
  return queue->core->launchAgain(launch, shape);
}

} // namespace

// clEnqueueNDRangeKernel
Expected<void> enqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                    const size_t *global, const size_t *local, cl_uint count, const cl_event *list,
                                    cl_event *event) {
  const EventParameters events{count, list, event};
  US_TRY(const bool isDone, launchAgain(queue, kernel, dimensions, offset, global, local, events));
  if (isDone) return {};
  US_TRY(CommandBuilder && command, CommandBuilder::start(queue, CL_COMMAND_NDRANGE_KERNEL, events));
  return launch(command, kernel, dimensions, offset, global, local);
}

// clEnqueueTask
Expected<void> enqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint count, const cl_event *list,
                           cl_event *event) {
  // "clEnqueueTask is equivalent to calling clEnqueueNDRangeKernel with work_dim set to 1, global_work_offset set to
  // NULL, global_work_size[0] set to 1, and local_work_size[0] set to 1."
  const size_t one = 1;
  US_TRY(CommandBuilder && command, CommandBuilder::start(queue, CL_COMMAND_TASK, {count, list, event}));
  return launch(command, kernel, 1, nullptr, &one, &one);
}

// clGetKernelSuggestedLocalWorkSizeKHR
Expected<void> getKernelSuggestedLocalWorkSizeKHR(cl_command_queue queueHandle, cl_kernel kernelHandle,
                                                  cl_uint dimensions, const size_t *offset, const size_t *global,
                                                  size_t *suggested) {
  // "CL_INVALID_COMMAND_QUEUE if command_queue is not a valid host command-queue."
  US_TRY(ClQueue & queue, queueFrom(queueHandle));
  US_TRY(ClKernel & kernel, kernelFor(queue, kernelHandle));
  US_TRY(LaunchRange range, launchRangeFrom(queue.device->info(), dimensions, offset, global));
  // "CL_INVALID_GLOBAL_WORK_SIZE if global_work_size is NULL or if any of the values specified in global_work_size are
  // 0."
  if (range.empty) return fail(ErrorCode::InvalidGlobalWorkSize, "the global size is NULL or 0");
  // "CL_INVALID_VALUE if suggested_local_work_size is NULL."
  if (!suggested) return fail(ErrorCode::InvalidValue, "the place of the suggestion is NULL");
  // "CL_INVALID_KERNEL_ARGS if all argument values for kernel have not been set."
  LaunchCommand launch;
  core::KeepList keep;
  US_CHECK(kernel.core->prepareLaunch(queue.coreDevice(), launch, keep));
  US_TRY(Size3 local, localSizeFrom(queue.device->info(), launch.kernel->info(), range, nullptr));
  if (local[0] == 0) {
    US_TRY(local, queue.coreDevice().suggestLocalSize(*launch.kernel, range.dimensions, range.offset, range.global));
  }
  for (cl_uint i = 0; i < dimensions; ++i) suggested[i] = local[i];
  return {};
}

} // namespace us::opencl
