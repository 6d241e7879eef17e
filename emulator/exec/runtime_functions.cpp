// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels call. Nothing here may touch thread_local state while it runs on a work-item's stack.
#include "emulator/exec/launch_tree.h"
#include "emulator/exec/printf_buffer.h"
#include "emulator/exec/work_group.h"
#include "emulator/memory/address_space.h"

#include <ctime>

namespace us::exec {
namespace {

WorkGroup &workGroupOf(abi::GroupContext *group) { return *static_cast<WorkGroup *>(group); }

int32_t print(abi::GroupContext *context, uint64_t item, const char *format, const std::byte *record, uint32_t size) {
  WorkGroup &group = workGroupOf(context);
  return group.printf->append(group.linearGroup, item, format, record, size, group.guard) ? 0 : -1;
}

void barrier(abi::ItemContext *item, uint32_t flags, uint32_t scope, uint32_t site) {
  // One thread runs the whole group, so that switching is all a barrier's fence needs.
  Fiber &fiber = *static_cast<Fiber *>(item);
  fiber.site = site;
  fiber.waitPc = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  fiber.suspend(FiberState::AtBarrier);
}

uint32_t subGroupSync(abi::ItemContext *item, uint32_t flags, uint32_t members, uint32_t site) {
  Fiber &fiber = *static_cast<Fiber *>(item);
  fiber.site = site;
  fiber.members = members;
  fiber.waitPc = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  fiber.suspend(FiberState::AtSubGroupSync);
  return fiber.released;
}

void yield(abi::ItemContext *item, uint32_t site) {
  Fiber &fiber = *static_cast<Fiber *>(item);
  fiber.site = site;
  fiber.waitPc = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  fiber.suspend(FiberState::Yielded);
}

void trap(abi::GroupContext *context, uint32_t code) {
  WorkGroup &group = workGroupOf(context);
  group.trapCode = code;
  group.trapPc = reinterpret_cast<uint64_t>(__builtin_return_address(0));
  group.guard->leave(Leave::Trap);
}

uint64_t clockNanoseconds() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

uint32_t addressSpace(const void *address) {
  switch (memory::AddressSpace::instance().find(reinterpret_cast<uint64_t>(address)).kind) {
  case memory::RangeKind::Stack:
    return 0;
  case memory::RangeKind::Local:
    return 3;
  default:
    return 1; // also memory of the host
  }
}

int64_t deviceQueue(abi::GroupContext *context, uint32_t operation, const abi::DeviceQueueRequest *request) {
  return LaunchTree::ask(*workGroupOf(context).node, abi::DeviceQueueOperation(operation), *request);
}

} // namespace

const abi::RuntimeFunctions &runtimeFunctions() {
  static constexpr abi::RuntimeFunctions kFunctions{.print = print,
                                                    .barrier = barrier,
                                                    .subGroupSync = subGroupSync,
                                                    .yield = yield,
                                                    .trap = trap,
                                                    .clock = clockNanoseconds,
                                                    .addressSpace = addressSpace,
                                                    .deviceQueue = deviceQueue};
  return kFunctions;
}

} // namespace us::exec
