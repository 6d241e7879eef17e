// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocations by address. Devices and the host share one memory, so every address means the same everywhere.
#pragma once

#include "icd/cuda/context.h"

namespace us::cuda {

class Pool;

enum class MemoryKind : uint8_t {
  Device,
  Managed,
  Host,       ///< cuMemHostAlloc
  Registered, ///< the application's, cuMemHostRegister
  Variable,   ///< of a module
  Imported,   ///< another process's
  Array,      ///< rows of a CUDA array
};

struct Allocation {
  uint64_t begin = 0, size = 0;
  MemoryKind kind = MemoryKind::Device;
  unsigned flags = 0;
  Context *context = nullptr;          ///< alive: a context takes its memory with it; null of a pool's memory
  Ref<Object> owner{};                 ///< keeps the memory; null where that is somebody else's
  bool wantsSynchronousCopies = false; ///< CU_POINTER_ATTRIBUTE_SYNC_MEMOPS
  Pool *pool = nullptr;                ///< that of stream-ordered memory, kept by `owner`
};

/// The allocation that holds an address; nothing if there is none.
std::optional<Allocation> findMemory(uint64_t address);
void addMemory(Allocation allocation);
/// Of the allocation that holds an address; false if there is none.
bool setSynchronousCopies(uint64_t address, bool wants);
/// Forgets the allocation that begins there.
std::optional<Allocation> removeMemory(uint64_t begin);
/// A context that is destroyed takes its memory with it.
void forgetMemoryOf(const Context &context);

/// Memory of the context, which `removeMemory` and its address map give back.
Expected<uint64_t> allocateMemory(Context &context, size_t size, MemoryKind kind, unsigned flags);

/// CUDA_ERROR_INVALID_VALUE unless [address, address + size) lies in one allocation that a device can reach.
Expected<void> checkDeviceRange(uint64_t address, uint64_t size, const char *what);

} // namespace us::cuda
