// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a context knows of its unified shared memory (cl_intel_unified_shared_memory) beyond shared virtual memory.
#pragma once

#include "icd/opencl/device.h"

#include <map>
#include <mutex>
#include <optional>

namespace us::opencl {

struct UnifiedFacts {
  cl_unified_shared_memory_type_intel type = CL_MEM_TYPE_UNKNOWN_INTEL;
  cl_mem_alloc_flags_intel flags = 0;
  Ref<ClDevice> device; ///< may be null
};

/// By the first address of each allocation. Thread-safe.
class UnifiedMemory {
public:
  void add(const void *pointer, UnifiedFacts facts);
  bool remove(const void *pointer); ///< false: there is none
  std::optional<UnifiedFacts> at(const void *pointer) const;

private:
  mutable std::mutex mutex_;
  std::map<const void *, UnifiedFacts> facts_; ///< guarded by mutex_
};

} // namespace us::opencl
