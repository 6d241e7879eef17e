// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/svm.h"

#include "runtime/core/blocking_submit.h"
#include "runtime/core/context.h"
#include "runtime/core/reclaimer.h"
#include "runtime/core/runtime.h"

#include <chrono>
#include <thread>

namespace us::core {

AddressMap::~AddressMap() {
  if (count_.load(std::memory_order_acquire) == 0) return;
  // What the application never gave back ends with its context.
  AllocationMap::instance().removeAll<SvmAllocation>([this](const SvmAllocation &one) { return one.space_ == this; });
}

Expected<Ref<SvmAllocation>> AddressMap::allocate(const Context &context, const SvmRequest &request) {
  if (runtimeDead()) return failDead();
  Device *apart = nullptr, *sharing = nullptr; // the device with memory of its own, and one without
  for (const Ref<Device> &device : context.devices()) {
    if (!device->info().sharesHostMemory && apart)
      return fail(ErrorCode::Unsupported,
                  apart->info().name + " and " + device->info().name + " have no memory that both share with the host");
    (device->info().sharesHostMemory ? sharing : apart) = device.get();
  }
  if (apart && sharing && request.capabilities != kSvmCoarseGrainBuffer)
    return fail(ErrorCode::Unsupported,
                apart->info().name + " and " + sharing->info().name + " share memory that is mapped, and no finer one");
  Device &device = apart ? *apart : *context.devices().front();
  MemoryRequest wanted{
      .size = request.size, .alignment = request.alignment, .isPointedTo = true, .owner = {"SVM allocation"}};
  wanted.shared = request.capabilities;
  US_TRY(std::unique_ptr<DeviceMemory> memory, allocateOn(device, wanted));
  std::unique_ptr<DeviceMemory> adopted;
  if (apart && sharing) {
    wanted.hostPointer = memory->hostAddress();
    US_TRY(adopted, allocateOn(*sharing, wanted));
  }
  Ref<SvmAllocation> allocation(new SvmAllocation(*this, device, std::move(memory), std::move(adopted)));
  AllocationMap::instance().add(allocation);
  count_.fetch_add(1, std::memory_order_release);
  return allocation;
}

Expected<bool> SvmAllocation::moveTo(Device &device, Patience patience) {
  if (!adopted_) return true;
  const bool toHost = device.info().sharesHostMemory;
  // The map waits for the device only, and that for nothing that is done with this held.
  std::unique_lock hold(moving_, std::defer_lock);
  if (patience == Patience::Waits)
    hold.lock();
  else if (!hold.try_lock())
    return false;
  if (toHost == isWithHost_) return true;
  if (patience == Patience::None) return false;
  MapCommand map;
  map.address = address();
  map.size = size();
  map.unmap = !toHost;
  US_CHECK(submitAndWait(*device_, map));
  isWithHost_ = toHost;
  return true;
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

void waitForUsers(const SvmAllocation &allocation) {
  while (!usersOf(allocation).empty())
    // What waits for the application is not waited for there: the application may be another thread.
    if (!Reclaimer::reclaim()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

std::vector<std::string> usersOf(const SvmAllocation &allocation) { return Reclaimer::commandsHolding(allocation); }

} // namespace us::core
