// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared virtual memory: allocations that the host and every device of a context reach at one address.
#pragma once

#include "runtime/core/allocation.h"
#include "runtime/core/patience.h"

#include <mutex>
#include <string>
#include <vector>

namespace us::core {

class AddressMap;
class Context;

/// Bits of DeviceInfo::svmCapabilities, with the values of cl_device_svm_capabilities.
enum SvmCapability : uint64_t {
  kSvmCoarseGrainBuffer = 1,
  kSvmFineGrainBuffer = 2,
  kSvmFineGrainSystem = 4,
  kSvmAtomics = 8,
};

struct SvmRequest {
  uint64_t size = 0;
  uint64_t alignment = 0; ///< a power of two; 0: the device's own
  uint64_t capabilities = kSvmCoarseGrainBuffer;
};

/// Memory is given back, and the account with it, when the application has released it and nothing uses it any more:
/// pending commands, and buffers made on it.
class SvmAllocation final : public Allocation {
public:
  std::byte *begin() const { return memory_->hostAddress(); }
  bool contains(const void *pointer, uint64_t size) const {
    return Allocation::contains(reinterpret_cast<uint64_t>(pointer), size);
  }
  /// The application has given it up, or a pending command will.
  bool isReleased() const { return released_.load(std::memory_order_acquire); }
  void releasedByApplication() { released_.store(true, std::memory_order_release); }

  /// A command buffer has recorded a command that uses it, or has one less: it keeps the memory, but does not use it
  /// until it is submitted.
  void recorded() { recordings_.fetch_add(1, std::memory_order_relaxed); }
  void forgotten() { recordings_.fetch_sub(1, std::memory_order_relaxed); }
  bool isRecorded() const { return recordings_.load(std::memory_order_relaxed) != 0; }

  /// It is memory of a device that does not share the host's, and no other device of the context uses it.
  bool isOneDevices() const { return !adopted_ && !device_->info().sharesHostMemory; }

  /// A command is about to run on `device` that may use the memory: it is there when this returns. Waits for the
  /// transfer that takes, which only contexts need whose devices do not all share the host's memory; false, and nothing
  /// has changed, if the caller has no patience for it.
  Expected<bool> moveTo(Device &device, Patience patience);

private:
  friend class AddressMap;
  SvmAllocation(const AddressMap &space, Device &device, std::unique_ptr<DeviceMemory> memory,
                std::unique_ptr<DeviceMemory> adopted)
      : Allocation(memory->address(), memory->size()), space_(&space), device_(&device), memory_(std::move(memory)),
        adopted_(std::move(adopted)) {}

  const AddressMap *const space_; ///< only compared
  const Ref<Device> device_;
  const std::unique_ptr<DeviceMemory> memory_;
  const std::unique_ptr<DeviceMemory> adopted_; ///< the same, as devices have it that share the host's memory; or null
  std::atomic<bool> released_{false};
  std::atomic<uint32_t> recordings_{0};
  std::mutex moving_;       // held while contents move; guards isWithHost_
  bool isWithHost_ = false; ///< mapped for the devices that share the host's memory
};

/// A context's part of the process's map. Thread-safe.
class AddressMap {
public:
  AddressMap() = default;
  ~AddressMap();
  AddressMap(const AddressMap &) = delete;
  AddressMap &operator=(const AddressMap &) = delete;

  /// Makes memory now: of the one device of the context that does not share the host's memory, if there is one. Errors:
  /// those of allocateOn; Unsupported if there are several such devices, or one and other devices and more is asked for
  /// than coarse-grained memory. A device's largest allocation is a rule of the API.
  Expected<Ref<SvmAllocation>> allocate(const Context &context, const SvmRequest &request);

  /// The allocation that holds the byte at `pointer`, or null. Costs next to nothing while there is none.
  Ref<SvmAllocation> find(const void *pointer) const;
  /// The allocation that begins at `pointer`.
  Ref<SvmAllocation> findBegin(const void *pointer) const;

  /// Forgets the allocation that begins at `pointer`; null if there is none. Never waits.
  Ref<SvmAllocation> remove(const void *pointer);

private:
  std::atomic<size_t> count_{0};
};

/// What still uses an allocation, for a person: pending commands by what they do; empty if nothing does.
std::vector<std::string> usersOf(const SvmAllocation &allocation);

/// Waits until no pending command uses an allocation that the application has released.
void waitForUsers(const SvmAllocation &allocation);

} // namespace us::core
