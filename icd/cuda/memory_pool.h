// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stream-ordered memory: pools of a device's or the host's memory, and what streams and events have to tell them.
#pragma once

#include "icd/cuda/context.h"
#include "icd/cuda/memory.h"
#include "runtime/core/memory_pool.h"

namespace us::cuda {

class Pool final : public Object {
public:
  Pool(Device &device, const CUmemPoolProps &properties, core::PoolRequest request, bool isDefault);

  core::MemoryPool &memory() const { return *memory_; }
  const CUmemPoolProps &properties() const { return properties_; }
  bool isDefault() const { return isDefault_; }
  bool isImported() const { return request_.isForeign; }
  const std::shared_ptr<MemoryFile> &file() const { return request_.file; }
  MemoryKind kind() const;
  /// Where its memory is: a device, or a node of the host.
  CUdevice ordinal() const { return properties_.location.id; }
  CUmemAccess_flags access(const CUmemLocation &from) const;
  void setAccess(const CUmemLocation &from, CUmemAccess_flags flags);

private:
  const CUmemPoolProps properties_;
  const core::PoolRequest request_;
  const bool isDefault_;
  const Ref<core::MemoryPool> memory_;
  mutable std::mutex mutex_; // guards access_
  std::map<std::pair<int, int>, CUmemAccess_flags> access_;
};

/// False until memory comes from a pool: nothing else costs anything before.
bool poolsAreUsed();
/// The host has waited for what `order` knows, or (null) for all there was in a context.
void poolsSynchronised(const core::FreeOrder *order);
/// Bytes that pools hold of a device.
uint64_t reservedByPools(const Device &device);
/// Gives unused memory of all pools back, for an allocation that found none.
void releasePools();
/// Frees memory that removeMemory has taken out: behind the stream's work, or (null) at once.
Expected<void> freePooled(const Allocation &allocation, Stream *stream);
CUmemoryPool handleOf(const Pool &pool);

} // namespace us::cuda
