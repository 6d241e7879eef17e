// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches, in all the forms that the API has grown.
#include "icd/cuda/launch.h"

#include "icd/cuda/api_checks.h"
#include "icd/cuda/capture.h"
#include "icd/cuda/cluster.h"
#include "icd/cuda/device_runtime.h"
#include "icd/cuda/entry_points.h"
#include "icd/cuda/stream_checks.h"
#include "runtime/base/align.h"

#include <algorithm>
#include <cstring>

namespace us::cuda {
namespace {

/// The memory that a launch adds begins at a multiple of this, or of what its variables ask for, behind the function's
/// own.
constexpr uint64_t kDynamicAlignment = 128;

Expected<void> checkShape(const Function &function, const LaunchShape &shape) {
  const LaunchLimits &device = function.context().launchLimits();
  for (unsigned i = 0; i < 3; ++i) {
    if (shape.grid[i] == 0 || shape.grid[i] > device.grid[i])
      return fail(CUDA_ERROR_INVALID_VALUE, format("{} blocks in dimension {} of the grid", shape.grid[i], i));
    if (shape.block[i] == 0 || shape.block[i] > device.block[i])
      return fail(CUDA_ERROR_INVALID_VALUE, format("{} threads in dimension {} of the block", shape.block[i], i));
  }
  const uint64_t threads = uint64_t(shape.block[0]) * shape.block[1] * shape.block[2];
  if (threads > device.threads) return fail(CUDA_ERROR_INVALID_VALUE, format("a block of {} threads", threads));
  const Size3 &limit = function.info().maxWorkGroupSize;
  if (limit[0] != 0 && threads > limit[0] * limit[1] * limit[2])
    return fail(CUDA_ERROR_INVALID_VALUE, format("a block of {} threads, {} was compiled for {}", threads,
                                                 function.name(), limit[0] * limit[1] * limit[2]));
  const Size3 &required = function.info().requiredWorkGroupSize;
  if (required[0] != 0 &&
      (shape.block[0] != required[0] || shape.block[1] != required[1] || shape.block[2] != required[2]))
    return fail(CUDA_ERROR_INVALID_VALUE, format("{} wants blocks of {} x {} x {} threads", function.name(),
                                                 required[0], required[1], required[2]));
  const uint64_t room = function.maxDynamicShared >= 0 ? device.sharedOnRequest : device.shared;
  if (function.info().localMemory + shape.sharedBytes > room)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{} bytes of shared memory, {} are possible",
                                                 function.info().localMemory + shape.sharedBytes, room));
  return {};
}

/// The parameters in one piece, as `extra` describes it.
Expected<std::span<const std::byte>> packedParameters(void **extra) {
  const std::byte *bytes = nullptr;
  size_t size = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
      bytes = static_cast<const std::byte *>(extra[1]);
    else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1])
      size = *static_cast<const size_t *>(extra[1]);
    else
      return fail(CUDA_ERROR_INVALID_VALUE, format("there is no launch parameter {}", extra[0]));
  }
  if (size && !bytes) return fail(CUDA_ERROR_INVALID_VALUE, "a parameter buffer without an address");
  return std::span(bytes, size);
}

/// "Passing arguments of the wrong size (i.e. a 64-bit pointer when a 32-bit int is expected) is equivalent to passing
/// too many arguments."
Expected<void> putExactly(const Function &function, std::span<const std::byte> bytes, LaunchCommand &launch) {
  US_CHECK(putPacked(function, bytes, launch));
  uint64_t wanted = 0;
  for (const ArgumentInfo &parameter : function.parameters())
    wanted = alignTo(wanted, parameter.alignment) + parameter.size;
  if (bytes.size() > wanted)
    return fail(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
                format("{} bytes of parameters, {} takes {}", bytes.size(), function.name(), wanted));
  return {};
}

Expected<void> putSeparate(const Function &function, void **parameters, LaunchCommand &launch) {
  const std::span<const ArgumentInfo> wanted = function.parameters();
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (!parameters || !parameters[i])
      return fail(CUDA_ERROR_INVALID_VALUE, format("parameter {} of {} is missing", i, function.name()));
    std::memcpy(launch.arguments.data() + wanted[i].offset, parameters[i], wanted[i].size);
  }
  return {};
}

/// Runs behind what is in the stream. Failures of the kernel itself come with a later call.
Expected<void> submit(Function &function, const LaunchShape &shape, LaunchCommand &&launch, CUstream handle) {
  US_TRY(const Ref<Stream> stream, streamOf(handle));
  if (&stream->context() != &function.context())
    return fail(CUDA_ERROR_INVALID_HANDLE, "the function and the stream belong to different contexts");
  US_TRY(const Ref<Capture> capture, captureOf(*stream));
  if (capture) return capture->add(*stream, kernelWork(function, shape, std::move(launch), stream->priority()));
  US_CHECK(function.module().references.bind(*stream));
  if (apiChecks()) launch.enqueuedAt = ApiChecks::site();
  core::CommandRequest request;
  request.keep = completeLaunch(function, launch);
  request.command = std::move(launch);
  US_CHECK(stream->enqueue(std::move(request)));
  return {};
}

/// "The number of blocks must not exceed what the device holds at once."
Expected<void> checkCooperative(const Function &function, const LaunchShape &shape) {
  const uint64_t blocks = uint64_t(shape.grid[0]) * shape.grid[1] * shape.grid[2];
  const auto most =
      uint64_t(blocksOnDevice(function, int(shape.block[0] * shape.block[1] * shape.block[2]), shape.sharedBytes));
  if (blocks > most)
    return fail(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
                format("{} blocks of {}, the device holds {} at once", blocks, function.name(), most));
  return {};
}

Expected<void> launchWith(CUfunction handle, const LaunchShape &shape, CUstream stream, void **parameters,
                          void **extra) {
  US_CHECK(currentContext());
  US_TRY(const Ref<Function> function, functionOf(handle));
  US_TRY(LaunchCommand launch, launchOf(*function, shape, parameters, extra));
  return submit(*function, shape, std::move(launch), stream);
}

/// The oldest form: shape and parameters were set before.
Expected<void> launchPrepared(CUfunction handle, int width, int height, CUstream stream) {
  US_CHECK(currentContext());
  US_TRY(const Ref<Function> function, functionOf(handle));
  if (width <= 0 || height <= 0)
    return fail(CUDA_ERROR_INVALID_VALUE, format("a grid of {} x {} blocks", width, height));
  LaunchShape shape;
  shape.grid[0] = unsigned(width);
  shape.grid[1] = unsigned(height);
  std::vector<std::byte> bytes;
  {
    std::lock_guard hold(function->mutex);
    std::copy_n(function->blockShape, 3, shape.block);
    shape.sharedBytes = function->sharedSize;
    bytes = function->parameterBytes;
  }
  US_TRY(LaunchCommand launch, beginLaunch(*function, shape));
  US_CHECK(putExactly(*function, bytes, launch));
  return submit(*function, shape, std::move(launch), stream);
}

Expected<void> setParameter(CUfunction handle, int offset, const void *from, size_t size) {
  US_TRY(const Ref<Function> function, functionOf(handle));
  if (offset < 0 || !from || size > 1 << 20 || offset > 1 << 20)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{} bytes at offset {}", size, offset));
  std::lock_guard hold(function->mutex);
  if (function->parameterBytes.size() < size_t(offset) + size) function->parameterBytes.resize(size_t(offset) + size);
  std::memcpy(function->parameterBytes.data() + offset, from, size);
  return {};
}

} // namespace

Expected<LaunchCommand> launchOf(const Function &function, const LaunchShape &shape, void **parameters, void **extra) {
  US_TRY(LaunchCommand launch, beginLaunch(function, shape));
  if (shape.isCooperative) US_CHECK(checkCooperative(function, shape));
  // "Specifying parameters in both ways causes CUDA_ERROR_INVALID_VALUE."
  if (parameters && extra) return fail(CUDA_ERROR_INVALID_VALUE, "parameters are given in two ways");
  if (extra) {
    US_TRY(const std::span<const std::byte> bytes, packedParameters(extra));
    US_CHECK(putExactly(function, bytes, launch));
  } else {
    US_CHECK(putSeparate(function, parameters, launch));
  }
  return launch;
}

Expected<LaunchShape> shapeOf(const CUlaunchConfig *config) {
  US_CHECK(checkOut(config, "the configuration"));
  if (config->numAttrs) US_CHECK(checkOut(config->attrs, "the attributes"));
  LaunchShape shape{{config->gridDimX, config->gridDimY, config->gridDimZ},
                    {config->blockDimX, config->blockDimY, config->blockDimZ},
                    config->sharedMemBytes};
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const CUlaunchAttribute &attribute = config->attrs[i];
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) shape.isCooperative = attribute.value.cooperative != 0;
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) US_CHECK(setCluster(shape, attribute.value));
  }
  return shape;
}

core::KeepList completeLaunch(const Function &function, LaunchCommand &launch) {
  core::KeepList keep;
  Ref<KernelHeap> heap = function.context().heap();
  launch.heap = heap.get();
  if (function.info().usesDeviceQueue) {
    Ref<DeviceRuntime> runtime = makeDeviceRuntime(function.module());
    launch.deviceRuntime = runtime.get();
    keep.push_back(std::move(runtime));
  }
  keep.push_back(std::move(heap));
  keep.push_back(Ref<Object>(&function.program()));
  return keep;
}

Expected<LaunchCommand> beginLaunch(const Function &function, const LaunchShape &shape) {
  US_CHECK(checkShape(function, shape));
  LaunchCommand launch;
  launch.kernel = Ref<DeviceKernel>(&function.kernel());
  for (unsigned i = 0; i < 3; ++i) {
    launch.globalSize[i] = uint64_t(shape.grid[i]) * shape.block[i];
    launch.localSize[i] = shape.block[i];
    if (launch.globalSize[i] > 1) launch.workDimensions = i + 1;
  }
  const KernelInfo &info = function.info();
  launch.arguments.resize(info.argumentBlockSize);
  launch.localMemory = info.localMemory;
  if (function.takesDynamicShared()) {
    const uint64_t wanted = info.arguments.back().pointeeAlignment;
    const uint64_t begin = alignTo(info.localMemory, std::max(kDynamicAlignment, wanted));
    std::memcpy(launch.arguments.data() + info.arguments.back().offset, &begin, sizeof begin);
    launch.localMemory = begin + shape.sharedBytes;
  } else {
    launch.localMemory += shape.sharedBytes;
  }
  launch.dynamicMemory = shape.sharedBytes;
  launch.allTogether = shape.isCooperative;
  US_TRY(launch.clusterSize, clusterOf(function, shape));
  Context &context = function.context();
  launch.printfBytes = context.limits[CU_LIMIT_PRINTF_FIFO_SIZE];
  launch.stackBytes = context.limits[CU_LIMIT_STACK_SIZE];
  return launch;
}

Expected<void> putPacked(const Function &function, std::span<const std::byte> bytes, LaunchCommand &launch) {
  uint64_t at = 0;
  for (const ArgumentInfo &wanted : function.parameters()) {
    at = alignTo(at, wanted.alignment);
    if (at + wanted.size > bytes.size())
      return fail(CUDA_ERROR_INVALID_VALUE,
                  format("{} bytes of parameters, {} wants more", bytes.size(), function.name()));
    std::memcpy(launch.arguments.data() + wanted.offset, bytes.data() + at, wanted.size);
    at += wanted.size;
  }
  return {};
}

Expected<void> launchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                            unsigned blockY, unsigned blockZ, unsigned sharedBytes, CUstream stream, void **parameters,
                            void **extra) {
  return launchWith(function, {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes}, stream, parameters,
                    extra);
}

Expected<void> launchCooperativeKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                                       unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                                       CUstream stream, void **parameters) {
  return launchWith(function, {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes, true}, stream, parameters,
                    nullptr);
}

/// One launch per device, each on a stream of its own.
Expected<void> launchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS *launches, unsigned count, unsigned flags) {
  US_CHECK(checkOut(launches, "the launches"));
  if (flags > 3) return fail(CUDA_ERROR_INVALID_VALUE, format("flags {:#x} are not defined", flags));
  if (count == 0) return fail(CUDA_ERROR_INVALID_VALUE, "no launch is given");
  std::set<CUdevice> devices;
  for (unsigned i = 0; i < count; ++i) {
    // "The stream cannot be the NULL stream."
    if (!launches[i].hStream) return fail(CUDA_ERROR_INVALID_VALUE, format("launch {} is on the NULL stream", i));
    US_TRY(const Ref<Stream> stream, streamOf(launches[i].hStream));
    // "must be created on different devices"
    if (!devices.insert(stream->context().number()).second)
      return fail(CUDA_ERROR_INVALID_VALUE, format("launch {} is on a device that another one is on", i));
  }
  // "the launch ... waits for all prior work pushed to all of the streams, and later work of any for all of it", unless
  // a flag takes that back.
  StreamChecks *const checks = streamChecks();
  if (checks) checks->hostMayKnowAll();
  for (unsigned i = 0; i < count; ++i) {
    const CUDA_LAUNCH_PARAMS &l = launches[i];
    US_CHECK(launchWith(
        l.function,
        {{l.gridDimX, l.gridDimY, l.gridDimZ}, {l.blockDimX, l.blockDimY, l.blockDimZ}, l.sharedMemBytes, true},
        l.hStream, l.kernelParams, nullptr));
  }
  if (checks) checks->hostMayKnowAll();
  return {};
}

Expected<void> launchKernelEx(const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra) {
  US_TRY(const LaunchShape shape, shapeOf(config));
  return launchWith(function, shape, config->hStream, parameters, extra);
}

Expected<void> funcSetBlockShape(CUfunction handle, int x, int y, int z) {
  US_TRY(const Ref<Function> function, functionOf(handle));
  if (x <= 0 || y <= 0 || z <= 0) return fail(CUDA_ERROR_INVALID_VALUE, format("a block of {} x {} x {}", x, y, z));
  std::lock_guard hold(function->mutex);
  function->blockShape[0] = unsigned(x);
  function->blockShape[1] = unsigned(y);
  function->blockShape[2] = unsigned(z);
  return {};
}

Expected<void> funcSetSharedSize(CUfunction handle, unsigned bytes) {
  US_TRY(const Ref<Function> function, functionOf(handle));
  std::lock_guard hold(function->mutex);
  function->sharedSize = bytes;
  return {};
}

Expected<void> paramSetSize(CUfunction handle, unsigned bytes) {
  US_TRY(const Ref<Function> function, functionOf(handle));
  if (bytes > 1u << 20) return fail(CUDA_ERROR_INVALID_VALUE, format("{} bytes of parameters", bytes));
  std::lock_guard hold(function->mutex);
  function->parameterBytes.resize(bytes);
  return {};
}

Expected<void> paramSeti(CUfunction function, int offset, unsigned value) {
  return setParameter(function, offset, &value, sizeof value);
}
Expected<void> paramSetf(CUfunction function, int offset, float value) {
  return setParameter(function, offset, &value, sizeof value);
}
Expected<void> paramSetv(CUfunction function, int offset, void *from, unsigned bytes) {
  return setParameter(function, offset, from, bytes);
}

Expected<void> launch(CUfunction function) { return launchPrepared(function, 1, 1, nullptr); }
Expected<void> launchGrid(CUfunction function, int width, int height) {
  return launchPrepared(function, width, height, nullptr);
}
Expected<void> launchGridAsync(CUfunction function, int width, int height, CUstream stream) {
  return launchPrepared(function, width, height, stream);
}

} // namespace us::cuda
