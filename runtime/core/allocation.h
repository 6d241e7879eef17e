// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocations by address: one map for the process, whichever API and whichever context made them.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/ref.h"
#include "runtime/device/device.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace us::core {

/// A range of addresses that kernels reach, or that an API has to know. Its class says what it is; it keeps the memory.
class Allocation : public Object {
public:
  Allocation(uint64_t address, uint64_t size);
  /// One for each, where addresses come again.
  uint64_t id() const { return id_; }
  uint64_t address() const { return address_; }
  uint64_t size() const { return size_; }
  bool contains(uint64_t address, uint64_t size) const {
    const uint64_t offset = address - address_;
    return offset <= size_ && size <= size_ - offset;
  }

private:
  void lastReferenceGone() override;

  const uint64_t id_, address_, size_;
};

/// Thread-safe.
class AllocationMap {
public:
  /// The process's; never destroyed.
  static AllocationMap &instance();

  /// It overlaps none that is there.
  void add(Ref<Allocation> allocation);
  /// The one that holds the byte at `address`, or null. Costs next to nothing while there is none.
  Ref<Allocation> find(uint64_t address) const;
  /// Forgets the one that begins at `address`, if it is a T; null if there is none. Never waits.
  template <class T> Ref<T> remove(uint64_t address) {
    return removeIf<T>(address, [](const T &) { return true; });
  }
  /// The same, if `condition` holds for it.
  template <class T, class Condition> Ref<T> removeIf(uint64_t address, Condition condition) {
    std::lock_guard hold(mutex_);
    const auto found = byEnd_.upper_bound(address);
    if (found == byEnd_.end() || found->second->address() != address) return nullptr;
    T *const is = dynamic_cast<T *>(found->second.get());
    if (!is || !condition(*is)) return nullptr;
    Ref<T> allocation(is);
    byEnd_.erase(found);
    count_.store(byEnd_.size(), std::memory_order_release);
    return allocation;
  }
  /// Forgets every T for which `condition` holds, and returns them.
  template <class T, class Condition> std::vector<Ref<T>> removeAll(Condition condition) {
    std::vector<Ref<T>> gone;
    std::lock_guard hold(mutex_);
    for (auto at = byEnd_.begin(); at != byEnd_.end();) {
      T *const is = dynamic_cast<T *>(at->second.get());
      if (is && condition(*is)) {
        gone.emplace_back(is);
        at = byEnd_.erase(at);
      } else {
        ++at;
      }
    }
    count_.store(byEnd_.size(), std::memory_order_release);
    return gone;
  }
  /// Calls `use` for each, with the map locked.
  template <class Use> void forEach(Use use) const {
    std::lock_guard hold(mutex_);
    for (const auto &[end, allocation] : byEnd_) use(*allocation);
  }

private:
  std::atomic<size_t> count_{0};
  mutable std::mutex mutex_; // guards byEnd_
  /// By the address one past the end: the first entry behind an address is the one that may hold it.
  std::map<uint64_t, Ref<Allocation>> byEnd_;
};

/// Memory of a device: MemObjectAllocationFailure when its account is full even after what pending commands hold of the
/// application's released objects was given back.
Expected<std::unique_ptr<DeviceMemory>> allocateOn(Device &device, const MemoryRequest &request);

} // namespace us::core
