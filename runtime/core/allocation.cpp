// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/allocation.h"

#include "runtime/core/reclaimer.h"
#include "runtime/core/runtime.h"

namespace us::core {
namespace {
std::atomic<uint64_t> lastId{0};
} // namespace

Allocation::Allocation(uint64_t address, uint64_t size)
    : id_(lastId.fetch_add(1, std::memory_order_relaxed) + 1), address_(address), size_(size) {}

void Allocation::lastReferenceGone() {
  if (!runtimeDead()) delete this;
}

AllocationMap &AllocationMap::instance() {
  static auto &map = *new AllocationMap;
  return map;
}

void AllocationMap::add(Ref<Allocation> allocation) {
  const uint64_t end = allocation->address() + allocation->size();
  std::lock_guard hold(mutex_);
  byEnd_.emplace(end, std::move(allocation));
  count_.store(byEnd_.size(), std::memory_order_release);
}

Ref<Allocation> AllocationMap::find(uint64_t address) const {
  if (count_.load(std::memory_order_acquire) == 0) return nullptr;
  std::lock_guard hold(mutex_);
  const auto found = byEnd_.upper_bound(address);
  if (found == byEnd_.end() || address < found->second->address()) return nullptr;
  return found->second;
}

Expected<std::unique_ptr<DeviceMemory>> allocateOn(Device &device, const MemoryRequest &request) {
  Expected<std::unique_ptr<DeviceMemory>> made = device.allocate(request);
  if (!made && made.error().code == ErrorCode::MemObjectAllocationFailure && Reclaimer::reclaim())
    made = device.allocate(request);
  return made;
}

} // namespace us::core
