// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/svm.h"

#include "runtime/core/context.h"
#include "runtime/core/reclaimer.h"
#include "runtime/core/runtime.h"

namespace us::core {

AddressMap::~AddressMap() {
  if (count_.load(std::memory_order_acquire) == 0) return;
  // What the application never gave back ends with its context.
  AllocationMap::instance().removeAll<SvmAllocation>([this](const SvmAllocation &one) { return one.space_ == this; });
}

Expected<Ref<SvmAllocation>> AddressMap::allocate(const Context &context, const SvmRequest &request) {
  if (runtimeDead()) return failDead();
  for (const Ref<Device> &device : context.devices()) {
    const DeviceInfo &info = device->info();
    if (!info.sharesHostMemory) return fail(ErrorCode::Unsupported, info.name + " does not share the host's memory");
  }
  Device &device = *context.devices().front();
  const MemoryRequest wanted{.size = request.size, .alignment = request.alignment, .owner = {"SVM allocation"}};
  US_TRY(std::unique_ptr<DeviceMemory> memory, allocateOn(device, wanted));
  Ref<SvmAllocation> allocation(new SvmAllocation(*this, device, std::move(memory)));
  AllocationMap::instance().add(allocation);
  count_.fetch_add(1, std::memory_order_release);
  return allocation;
}

Ref<SvmAllocation> AddressMap::find(const void *pointer) const {
  if (count_.load(std::memory_order_acquire) == 0) return nullptr;
  const Ref<Allocation> found = AllocationMap::instance().find(reinterpret_cast<uint64_t>(pointer));
  auto *const shared = dynamic_cast<SvmAllocation *>(found.get());
  return Ref<SvmAllocation>(shared && shared->space_ == this ? shared : nullptr);
}

Ref<SvmAllocation> AddressMap::findBegin(const void *pointer) const {
  Ref<SvmAllocation> found = find(pointer);
  return found && found->begin() == pointer ? found : nullptr;
}

Ref<SvmAllocation> AddressMap::remove(const void *pointer) {
  if (count_.load(std::memory_order_acquire) == 0 || runtimeDead()) return nullptr;
  Ref<SvmAllocation> allocation = AllocationMap::instance().removeIf<SvmAllocation>(
      reinterpret_cast<uint64_t>(pointer), [this](const SvmAllocation &one) { return one.space_ == this; });
  if (allocation) count_.fetch_sub(1, std::memory_order_release);
  return allocation;
}

std::vector<std::string> usersOf(const SvmAllocation &allocation) { return Reclaimer::commandsHolding(allocation); }

} // namespace us::core
