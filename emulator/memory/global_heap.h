// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device memory of the emulated devices, and the account that limits it.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/ref.h"
#include "runtime/device/memory.h"

#include <atomic>
#include <memory>

namespace us::memory {

/// How many bytes may be in use; several devices share one. Thread-safe.
class MemoryAccount : public Object {
public:
  explicit MemoryAccount(uint64_t limit) : limit_(limit) {}
  /// Takes bytes, all or none.
  bool charge(uint64_t bytes);
  void uncharge(uint64_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }
  uint64_t limit() const { return limit_; }
  uint64_t used() const { return used_.load(std::memory_order_relaxed); }

private:
  const uint64_t limit_;
  std::atomic<uint64_t> used_{0};
};

/// Memory of the reserved range, charged to the account until it is destroyed; or, with a host pointer, that memory,
/// which costs the account nothing. MemObjectAllocationFailure when the account or the range is full.
Expected<std::unique_ptr<DeviceMemory>> allocateGlobal(Ref<MemoryAccount> account, const MemoryRequest &request,
                                                       uint64_t baseAlignment = 128);

/// The bytes the machine lets this process use: 80 % of its memory or of the control group's limit, the smaller.
uint64_t availableMemory();

} // namespace us::memory
