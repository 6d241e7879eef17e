// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels ask of queues and events on the device: the request that RuntimeFunctions::deviceQueue gets. The builtin
// library writes it (emulator/builtins/opencl/device_queue/request.h, same layout);
// docs/decisions/0025-device-side-enqueue.md says how it works. A change here changes kAbiVersion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace us::abi {

enum class DeviceQueueOperation : uint32_t {
  EnqueueKernel,      ///< 0, or kEnqueueFailure
  EnqueueMarker,      ///< the same
  DefaultQueue,       ///< the queue, or 0
  RetainEvent,        ///< 0
  ReleaseEvent,       ///< 0
  CreateUserEvent,    ///< the event
  SetUserEventStatus, ///< 0
  IsValidEvent,       ///< 0 or 1
  CaptureProfiling,   ///< 0
  WorkGroupSize,      ///< the largest of the block's kernel
  PreferredMultiple,
};

inline constexpr int64_t kEnqueueFailure = -101;     ///< CLK_ENQUEUE_FAILURE
inline constexpr uint64_t kNullEvent = ~uint64_t{0}; ///< CLK_NULL_EVENT

/// OpenCL C's ndrange_t.
struct NdRange {
  uint32_t dimensions = 1;
  uint64_t offset[3] = {}, globalSize[3] = {}, localSize[3] = {}; ///< local sizes 0: the device chooses
};

/// What Clang's block literals begin with; the captured values follow.
struct BlockLiteral {
  uint32_t size, alignment; ///< bytes of the whole
  const void *invoke;
};

struct DeviceQueueRequest {
  uint64_t queue;           ///< DeviceQueue::argument
  uint32_t flags;           ///< CLK_ENQUEUE_FLAGS_*
  uint32_t eventCount;      ///< of the wait list
  const NdRange *range;     ///< EnqueueKernel
  const uint64_t *waitList; ///< events
  uint64_t *event;          ///< where the new event goes; null: none is wanted
  const char *kernel;       ///< the block's kernel, by name
  const BlockLiteral *block;
  const uint64_t *localSizes; ///< bytes of each of the block's local arguments
  uint32_t localCount;
  int32_t status;        ///< SetUserEventStatus
  uint64_t subjectEvent; ///< of the operations on events
  void *destination;     ///< CaptureProfiling: two 64-bit numbers
};
static_assert(sizeof(DeviceQueueRequest) == 88);

/// What kernels read as the status of an event that has failed: what it waited for had, or it was never run.
inline constexpr int kEventFailedWaitList = -14, kEventDropped = -5;

/// The kernels that blocks are made into have names that no kernel of a program can have.
inline constexpr std::string_view kBlockKernelMark = ".block";
constexpr bool isBlockKernel(std::string_view name) { return name.find(kBlockKernelMark) != name.npos; }

} // namespace us::abi
