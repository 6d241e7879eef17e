// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared virtual memory: allocations that the host and every device of a context reach at one address, and the map that
// finds an allocation by any address inside it.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/ref.h"
#include "runtime/device/device.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace us::core {

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
  uint64_t alignment = 0;              ///< a power of two; 0: the device's own
  const char *what = "SVM allocation"; ///< MemoryOwner::what
};

/// Memory is given back, and the account with it, when the application has released it and nothing uses it any more:
/// pending commands, and buffers made on it.
class SvmAllocation final : public Object {
public:
  std::byte *begin() const { return memory_->hostAddress(); }
  uint64_t size() const { return memory_->size(); }
  bool contains(const void *pointer, uint64_t size) const;
  /// The application has given it up, or a pending command will.
  bool isReleased() const { return released_.load(std::memory_order_acquire); }
  void releasedByApplication() { released_.store(true, std::memory_order_release); }

private:
  friend class AddressMap;
  SvmAllocation(Device &device, std::unique_ptr<DeviceMemory> memory) : device_(&device), memory_(std::move(memory)) {}
  void lastReferenceGone() override;

  const Ref<Device> device_;
  const std::unique_ptr<DeviceMemory> memory_;
  std::atomic<bool> released_{false};
};

/// A context's allocations by address. Thread-safe.
class AddressMap {
public:
  /// Makes memory now: MemObjectAllocationFailure when an account is full even after what pending commands hold of the
  /// application's released objects was given back; Unsupported if a device does not share the host's memory. A
  /// device's largest allocation is OpenCL's rule, which clSVMAlloc checks; CUDA has none.
  Expected<Ref<SvmAllocation>> allocate(const Context &context, const SvmRequest &request);

  /// The allocation that holds the byte at `pointer`, or null. Costs next to nothing while there is none.
  Ref<SvmAllocation> find(const void *pointer) const;
  /// The allocation that begins at `pointer`.
  Ref<SvmAllocation> findBegin(const void *pointer) const;

  /// Forgets the allocation that begins at `pointer`; null if there is none. Never waits.
  Ref<SvmAllocation> remove(const void *pointer);

private:
  std::atomic<size_t> count_{0};
  mutable std::mutex mutex_; // guards byEnd_
  /// By the address one past the end: the first entry behind an address is the one that may hold it.
  std::map<const std::byte *, Ref<SvmAllocation>> byEnd_;
};

/// What still uses an allocation, for a person: pending commands by what they do; empty if nothing does.
std::vector<std::string> usersOf(const SvmAllocation &allocation);

} // namespace us::core
