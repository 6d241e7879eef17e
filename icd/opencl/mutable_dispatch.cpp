// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_command_buffer_mutable_dispatch: recording a kernel, and changing it afterwards. Each recorded kernel that the
// application has a handle of keeps a kernel of its own, whose arguments an update sets.
#include "icd/opencl/enqueue.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/launch.h"

#include <algorithm>
#include <span>

namespace us::opencl {
namespace {

/// The properties of a recorded kernel.
struct Properties {
  std::vector<cl_command_properties_khr> asGiven; ///< with the final 0; empty if none were given
  /// "If CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR is not specified then it defaults to the value returned by the
  /// CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR device query."
  cl_mutable_dispatch_fields_khr fields = kMutableDispatchFields;
  cl_mutable_dispatch_asserts_khr asserts = 0;
  bool argumentsMayFollow = false;
};

Expected<Properties> propertiesFrom(const cl_command_properties_khr *list) {
  Properties result;
  for (const cl_command_properties_khr *next = list; next && *next; next += 2) {
    // "CL_INVALID_VALUE if values specified in properties are not valid."
    for (const cl_command_properties_khr *before = list; before != next; before += 2)
      if (*before == *next) return fail(ErrorCode::InvalidValue, icd::format("property {:#x} is named twice", *next));
    switch (*next) {
    case CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR:
      // (CL_INVALID_OPERATION is for fields that a device does not let change: ours let all.)
      if (next[1] & ~kMutableDispatchFields)
        return fail(ErrorCode::InvalidValue, icd::format("{:#x} holds bits that are no field of a launch", next[1]));
      result.fields = next[1];
      result.argumentsMayFollow = next[1] & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR;
      break;
    case CL_MUTABLE_DISPATCH_ASSERTS_KHR:
      if (next[1] & ~cl_bitfield(CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR))
        return fail(ErrorCode::InvalidValue, icd::format("{:#x} holds bits that assert nothing", next[1]));
      result.asserts = next[1];
      break;
    default:
      return fail(ErrorCode::InvalidValue, icd::format("there is no property {:#x} of a recorded kernel", *next));
    }
    result.asGiven.insert(result.asGiven.end(), next, next + 2);
  }
  if (list) result.asGiven.push_back(0);
  return result;
}

/// A kernel of the same arguments that no application knows.
Expected<Ref<ClKernel>> copyOf(const ClKernel &kernel) {
  US_TRY(Ref<ClKernel> copy, makeObject<ClKernel>());
  copy->core = kernel.core->clone();
  copy->program = kernel.program;
  return copy;
}

/// Whether all work-groups have one size. A size that is left to the device divides the range.
bool isUniform(const ClMutableCommand::Launch &launch) {
  if (!launch.hasLocal) return true;
  for (cl_uint i = 0; i < launch.range.dimensions; ++i)
    if (launch.local[i] == 0 || launch.range.global[i] % launch.local[i]) return false;
  return true;
}

/// "CL_INVALID_OPERATION if the ... property was not set on command recording and ..."
Expected<void> checkField(const ClMutableCommand &command, cl_mutable_dispatch_fields_khr field, bool isGiven,
                          const char *what) {
  if (!isGiven || (command.fields & field)) return {};
  return fail(ErrorCode::InvalidOperation,
              icd::format("the command was recorded without the right to change its {}", what));
}

/// "CL_INVALID_VALUE if arg_list is NULL and num_args > 0, or arg_list is not NULL and num_args is 0."
Expected<void> checkList(cl_uint count, const void *list, const char *what) {
  if ((count > 0) == (list != nullptr)) return {};
  return fail(ErrorCode::InvalidValue, icd::format("{} {} at {}", count, what, list));
}

Expected<void> checkUpdate(const ClMutableCommand &command, const cl_mutable_dispatch_config_khr &update) {
  // "CL_INVALID_OPERATION if work_dim is not zero and different from the work_dim set on command recording."
  const cl_uint dimensions = command.launch->range.dimensions;
  if (update.work_dim != 0 && update.work_dim != dimensions)
    return fail(ErrorCode::InvalidOperation,
                icd::format("the command was recorded with {} dimensions, {} were given", dimensions, update.work_dim));
  US_CHECK(checkField(command, CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR, update.global_work_offset, "offset"));
  US_CHECK(checkField(command, CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, update.global_work_size, "global size"));
  US_CHECK(checkField(command, CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR, update.local_work_size, "local size"));
  US_CHECK(checkField(command, CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, update.num_args || update.num_svm_args,
                      "kernel's arguments"));
  US_CHECK(checkField(command, CL_MUTABLE_DISPATCH_EXEC_INFO_KHR, update.num_exec_infos, "kernel's execution info"));
  US_CHECK(checkList(update.num_args, update.arg_list, "arguments"));
  US_CHECK(checkList(update.num_svm_args, update.arg_svm_list, "arguments of shared virtual memory"));
  return checkList(update.num_exec_infos, update.exec_info_list, "pieces of execution info");
}

/// The launch after an update. Errors: what clSetKernelArg, clSetKernelArgSVMPointer, clSetKernelExecInfo and
/// clEnqueueNDRangeKernel say of the values.
Expected<ClMutableCommand::Launch> updated(const ClMutableCommand &command, const ClMutableCommand::Launch &before,
                                           const cl_mutable_dispatch_config_khr &update) {
  ClMutableCommand::Launch launch = before;
  US_TRY(launch.kernel, copyOf(*before.kernel));
  const cl_kernel kernel = launch.kernel->handle();
  for (const cl_mutable_dispatch_arg_khr &argument : std::span(update.arg_list, update.num_args))
    US_CHECK(setKernelArg(kernel, argument.arg_index, argument.arg_size, argument.arg_value));
  for (const cl_mutable_dispatch_arg_khr &argument : std::span(update.arg_svm_list, update.num_svm_args))
    US_CHECK(setKernelArgSVMPointer(kernel, argument.arg_index, argument.arg_value));
  for (const cl_mutable_dispatch_exec_info_khr &info : std::span(update.exec_info_list, update.num_exec_infos))
    US_CHECK(setKernelExecInfo(kernel, info.param_name, info.param_value_size, info.param_value));
  const size_t *const offset = update.global_work_offset ? update.global_work_offset : before.range.offset.data();
  const size_t *const global = update.global_work_size ? update.global_work_size : before.range.global.data();
  US_TRY(launch.range, launchRangeFrom(command.queue->device->info(), before.range.dimensions, offset, global));
  if (update.local_work_size) {
    launch.hasLocal = true;
    std::copy_n(update.local_work_size, launch.range.dimensions, launch.local.begin());
  }
  // "CL_INVALID_OPERATION if the values of local_work_size and/or global_work_size result in a change to work-group
  // uniformity."
  if (isUniform(launch) != isUniform(before))
    return fail(ErrorCode::InvalidOperation,
                isUniform(before) ? "the work-groups of the command all have one size, with these sizes they would not"
                                  : "the work-groups of the command do not all have one size, with these they would");
  return launch;
}

/// The command of a launch. One whose arguments are not all set is not complete.
Expected<core::CommandBuffer::Recorded> recordedFrom(ClQueue &queue, const ClMutableCommand::Launch &launch,
                                                     bool argumentsMayFollow) {
  core::CommandBuffer::Recorded recorded;
  const Expected<bool> filled =
      fillLaunch(queue, *launch.kernel, launch.range, launch.hasLocal ? launch.local.data() : nullptr, recorded.command,
                 recorded.keep);
  // "CL_INVALID_KERNEL_ARGS if the kernel argument values have not been specified and the
  // CL_MUTABLE_DISPATCH_ARGUMENTS_KHR flag was not set in the properties parameter."
  if (!filled && argumentsMayFollow && filled.error().code == ErrorCode::InvalidKernelArgs)
    return core::CommandBuffer::Recorded{NoCommand{}, {}, false};
  US_CHECK(filled);
  return recorded;
}

/// Records a launch as `Launch` says, whatever queue it is for: its kernel is nobody else's, and stays as it is.
auto recording(std::shared_ptr<const ClMutableCommand::Launch> launch, bool argumentsMayFollow) {
  return [launch = std::move(launch), argumentsMayFollow](CommandBuilder &with) -> Expected<void> {
    ClQueue &queue = with.queue();
    US_TRY(ClKernel & kernel, kernelFor(queue, launch->kernel->handle()));
    US_CHECK(checkRecordedKernel(queue, kernel));
    const LaunchRange &range = launch->range;
    US_CHECK(launchRangeFrom(queue.device->info(), range.dimensions, range.offset.data(), range.global.data()));
    US_TRY(core::CommandBuffer::Recorded recorded, recordedFrom(queue, *launch, argumentsMayFollow));
    with.request.command = std::move(recorded.command);
    with.request.keep = std::move(recorded.keep);
    with.isComplete = recorded.isComplete;
    return with.enqueue();
  };
}

/// An update on its way: nothing is changed until all of them are right.
struct Staged {
  ClMutableCommand *command;
  ClMutableCommand::Launch launch;
};

Expected<void> stage(ClCommandBuffer &buffer, const cl_mutable_dispatch_config_khr &update,
                     std::vector<Staged> &staged) {
  // "CL_INVALID_MUTABLE_COMMAND_KHR if command is not a valid mutable command object returned from
  // clCommandNDRangeKernelKHR, or created from command_buffer."
  US_TRY(ClMutableCommand & command, fromHandle<ClMutableCommand>(update.command));
  if (command.buffer != &buffer)
    return fail(own(OwnError::InvalidMutableCommand), "the command is of another command buffer");
  US_CHECK(checkUpdate(command, update));
  const auto earlier = std::ranges::find(staged, &command, &Staged::command);
  const ClMutableCommand::Launch &before = earlier == staged.end() ? *command.launch : earlier->launch;
  US_TRY(ClMutableCommand::Launch after, updated(command, before, update));
  if (earlier == staged.end())
    staged.push_back({&command, std::move(after)});
  else
    earlier->launch = std::move(after);
  return {};
}

} // namespace

// clCommandNDRangeKernelKHR
Expected<void> commandNDRangeKernelKHR(cl_command_buffer_khr bufferHandle, cl_command_queue queueHandle,
                                       const cl_command_properties_khr *list, cl_kernel kernelHandle,
                                       cl_uint dimensions, const size_t *offset, const size_t *global,
                                       const size_t *local, cl_uint count, const cl_sync_point_khr *points,
                                       cl_sync_point_khr *point, cl_mutable_command_khr *handle) {
  US_TRY(CommandBuilder && command,
         CommandBuilder::recordMutable({bufferHandle, queueHandle, list, count, points, point, handle}));
  ClCommandBuffer &buffer = *command.commandBuffer();
  ClQueue &queue = command.queue();
  US_TRY(Properties properties, propertiesFrom(list));
  // "CL_INVALID_VALUE if the cl_khr_command_buffer_mutable_dispatch extension is not supported and mutable_handle is
  // not NULL." The same holds for the properties, which are that extension's.
  if ((handle || properties.asGiven.size() > 1) &&
      !hasExtension(*queue.device, CL_KHR_COMMAND_BUFFER_MUTABLE_DISPATCH_EXTENSION_NAME))
    return fail(ErrorCode::InvalidValue, "the queue's device has no mutable dispatch");
  US_TRY(ClKernel & kernel, kernelFor(queue, kernelHandle));
  US_CHECK(checkRecordedKernel(queue, kernel));
  auto launch = std::make_shared<ClMutableCommand::Launch>();
  US_TRY(launch->range, launchRangeFrom(queue.device->info(), dimensions, offset, global));
  // "CL_INVALID_VALUE if command_buffer was created with the CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR property
  // with CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR and local_work_size is NULL, or if properties
  // includes the CL_MUTABLE_DISPATCH_ASSERTS_KHR property with [it] and local_work_size is NULL."
  if (!local && (buffer.asserts | properties.asserts))
    return fail(ErrorCode::InvalidValue, "a launch whose number of work-groups may not grow has no local size");
  launch->hasLocal = local != nullptr;
  if (local) std::copy_n(local, dimensions, launch->local.begin());
  US_TRY(launch->kernel, copyOf(kernel));
  if (!handle) return command.recordBy(recording(std::move(launch), properties.argumentsMayFollow));

  // The handle is made first: a command that was recorded cannot fail any more.
  US_TRY(Ref<ClMutableCommand> recordedCommand, makeObject<ClMutableCommand>());
  US_CHECK(command.recordBy(recording(launch, properties.argumentsMayFollow)));
  recordedCommand->buffer = &buffer;
  recordedCommand->point = command.recordedAt;
  recordedCommand->queue = Ref<ClQueue>(&queue);
  recordedCommand->kernel = Ref<ClKernel>(&kernel);
  recordedCommand->properties = std::move(properties.asGiven);
  recordedCommand->fields = properties.fields;
  recordedCommand->launch = std::move(launch);
  *handle = recordedCommand->handle();
  std::lock_guard hold(buffer.mutex);
  buffer.handles.push_back(std::move(recordedCommand));
  return {};
}

// clUpdateMutableCommandsKHR
Expected<void> updateMutableCommandsKHR(cl_command_buffer_khr handle, cl_uint count,
                                        const cl_command_buffer_update_type_khr *types, const void **updates) {
  // "CL_INVALID_COMMAND_BUFFER_KHR if command_buffer is not a valid command-buffer."
  US_TRY(ClCommandBuffer & buffer, commandBufferFrom(handle));
  // "CL_INVALID_OPERATION if command_buffer has not been finalized."
  if (buffer.core->state() == core::CommandBufferState::Recording)
    return fail(ErrorCode::InvalidOperation, "the command buffer is not finalised");
  // "CL_INVALID_OPERATION if command_buffer was not created with the CL_COMMAND_BUFFER_MUTABLE_KHR flag."
  if (!(buffer.flags & CL_COMMAND_BUFFER_MUTABLE_KHR))
    return fail(ErrorCode::InvalidOperation, "the command buffer was not made to be changed");
  // "CL_INVALID_VALUE if config_types is NULL and num_configs > 0, or config_types is not NULL and num_configs is 0."
  // "CL_INVALID_VALUE if configs is NULL and num_configs > 0, or configs is not NULL and num_configs is 0."
  US_CHECK(checkList(count, types, "types of updates"));
  US_CHECK(checkList(count, updates, "updates"));
  std::lock_guard hold(buffer.mutex);
  std::vector<Staged> staged;
  for (cl_uint i = 0; i < count; ++i) {
    // "CL_INVALID_VALUE if any element of config_types is not a valid cl_command_buffer_update_type_khr enum."
    if (types[i] != CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR)
      return fail(ErrorCode::InvalidValue, icd::format("update {} has type {}, of which there is none", i, types[i]));
    // "CL_INVALID_VALUE if any element of configs is NULL."
    if (!updates[i]) return fail(ErrorCode::InvalidValue, icd::format("update {} is NULL", i));
    US_CHECK(stage(buffer, *static_cast<const cl_mutable_dispatch_config_khr *>(updates[i]), staged));
  }
  // "Otherwise, none of the updates to mutable-command objects are preserved"
  std::vector<std::pair<core::CommandBuffer::SyncPoint, core::CommandBuffer::Recorded>> commands;
  for (const Staged &one : staged) {
    // Arguments that are still missing may follow in another update.
    US_TRY(core::CommandBuffer::Recorded recorded, recordedFrom(*one.command->queue, one.launch, true));
    commands.emplace_back(one.command->point, std::move(recorded));
  }
  US_CHECK(buffer.core->replace(std::move(commands)));
  for (Staged &one : staged) {
    one.command->launch = std::make_shared<const ClMutableCommand::Launch>(std::move(one.launch));
    buffer.calls[one.command->point - 1].make = recording(one.command->launch, true);
  }
  return {};
}

} // namespace us::opencl
