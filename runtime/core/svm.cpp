// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/svm.h"

#include "runtime/core/context.h"
#include "runtime/core/reclaimer.h"
#include "runtime/core/runtime.h"

namespace us::core {

void SvmAllocation::lastReferenceGone() {
  if (!runtimeDead()) delete this;
}

bool SvmAllocation::contains(const void *pointer, uint64_t size) const {
  const uint64_t offset = static_cast<uint64_t>(static_cast<const std::byte *>(pointer) - begin());
  return offset <= this->size() && size <= this->size() - offset;
}

Expected<Ref<SvmAllocation>> AddressMap::allocate(const Context &context, const SvmRequest &request) {
  if (runtimeDead()) return failDead();
  for (const Ref<Device> &device : context.devices()) {
    const DeviceInfo &info = device->info();
    if (!info.sharesHostMemory) return fail(ErrorCode::Unsupported, info.name + " does not share the host's memory");
  }
  Device &device = *context.devices().front();
  const MemoryRequest memory{.size = request.size, .alignment = request.alignment, .owner = {request.what}};
  Expected<std::unique_ptr<DeviceMemory>> made = device.allocate(memory);
  if (!made && made.error().code == ErrorCode::MemObjectAllocationFailure && Reclaimer::reclaim())
    made = device.allocate(memory);
  if (!made) return std::unexpected(std::move(made).error());
  Ref<SvmAllocation> allocation(new SvmAllocation(device, std::move(*made)));
  std::lock_guard hold(mutex_);
  byEnd_.emplace(allocation->begin() + allocation->size(), allocation);
  count_.store(byEnd_.size(), std::memory_order_release);
  return allocation;
}

Ref<SvmAllocation> AddressMap::find(const void *pointer) const {
  if (count_.load(std::memory_order_acquire) == 0) return nullptr;
  std::lock_guard hold(mutex_);
  const auto found = byEnd_.upper_bound(static_cast<const std::byte *>(pointer));
  if (found == byEnd_.end() || pointer < found->second->begin()) return nullptr;
  return found->second;
}

Ref<SvmAllocation> AddressMap::findBegin(const void *pointer) const {
  Ref<SvmAllocation> found = find(pointer);
  return found && found->begin() == pointer ? found : nullptr;
}

Ref<SvmAllocation> AddressMap::remove(const void *pointer) {
  if (count_.load(std::memory_order_acquire) == 0 || runtimeDead()) return nullptr;
  std::lock_guard hold(mutex_);
  const auto found = byEnd_.upper_bound(static_cast<const std::byte *>(pointer));
  if (found == byEnd_.end() || pointer != found->second->begin()) return nullptr;
  Ref<SvmAllocation> allocation = std::move(found->second);
  byEnd_.erase(found);
  count_.store(byEnd_.size(), std::memory_order_release);
  return allocation;
}

std::vector<std::string> usersOf(const SvmAllocation &allocation) { return Reclaimer::commandsHolding(allocation); }

} // namespace us::core
