// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Events on the device: what clk_event_t names. A table of the process, because kernels may hand them to each other.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

namespace us::core {

struct EnqueuedCommand;

/// Guards everything about queues and events on devices. Never held while memory of a kernel is touched.
std::mutex &deviceSideMutex();

/// All with deviceSideMutex held.
struct DeviceEvent {
  static constexpr int kPending = 1; ///< else 0, complete, or a negative error
  uint32_t references = 1;           ///< the kernels'
  uint32_t generation = 0;
  int status = kPending;
  bool isUser = false, inUse = false;
  std::vector<EnqueuedCommand *> waiters; ///< once for each time it stands in a wait list
  uint64_t profile = 0;                   ///< where the times go when it is complete; 0: nowhere
  uint64_t times[2] = {0, 0};             ///< nanoseconds from start to end; from start to the end of all it enqueued

  uint64_t handle = 0;
};

/// Null if there are too many.
DeviceEvent *createDeviceEvent(bool isUser);
/// Null for what is no event, or is one no longer.
DeviceEvent *deviceEventFrom(uint64_t handle);
/// Frees the slot if the kernels have released the event and it is complete, or can never be.
void dropDeviceEvent(DeviceEvent &event);

/// At once in use; more are an allocation failure in the kernel.
inline constexpr uint32_t kMaxDeviceEvents = 65536;

} // namespace us::core
