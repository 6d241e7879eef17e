// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/device_events.h"

#include <deque>

namespace us::core {
namespace {

struct Table {
  std::deque<DeviceEvent> events; ///< never shrinks, so that a stale handle is told from a good one
  std::vector<uint32_t> free;

  static Table &instance() {
    static Table &table = *new Table;
    return table;
  }
};

/// Generation in the upper half, number plus one in the lower; neither null nor all bits is ever a handle.
uint64_t handleOf(uint32_t number, uint32_t generation) { return uint64_t{generation} << 32 | (number + 1); }

} // namespace

std::mutex &deviceSideMutex() {
  static std::mutex &mutex = *new std::mutex;
  return mutex;
}

DeviceEvent *createDeviceEvent(bool isUser) {
  Table &table = Table::instance();
  if (table.free.empty()) {
    if (table.events.size() == kMaxDeviceEvents) return nullptr;
    table.free.push_back(static_cast<uint32_t>(table.events.size()));
    table.events.emplace_back();
  }
  const uint32_t number = table.free.back();
  table.free.pop_back();
  DeviceEvent &event = table.events[number];
  const uint32_t generation = (event.generation + 1) & 0x7fffffff;
  event = DeviceEvent{};
  event.generation = generation;
  event.isUser = isUser;
  event.inUse = true;
  event.handle = handleOf(number, generation);
  return &event;
}

DeviceEvent *deviceEventFrom(uint64_t handle) {
  Table &table = Table::instance();
  const uint64_t number = (handle & 0xffffffff) - 1;
  if (number >= table.events.size()) return nullptr;
  DeviceEvent &event = table.events[number];
  return event.inUse && event.handle == handle ? &event : nullptr;
}

void dropDeviceEvent(DeviceEvent &event) {
  if (event.references != 0 || !event.inUse) return;
  // A user event that nobody waits for and nobody can name any more needs no status.
  if (event.status == DeviceEvent::kPending && !(event.isUser && event.waiters.empty())) return;
  event.inUse = false;
  Table::instance().free.push_back(static_cast<uint32_t>((event.handle & 0xffffffff) - 1));
}

} // namespace us::core
