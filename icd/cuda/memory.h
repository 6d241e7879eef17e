// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What this API knows of an allocation, in the process's map of them (runtime/core/allocation.h).
#pragma once

#include "icd/cuda/context.h"
#include "runtime/core/allocation.h"

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
  Mapped,     ///< cuMemMap; of no context
};

class Allocation final : public core::Allocation {
public:
  struct Facts {
    MemoryKind kind = MemoryKind::Device;
    unsigned flags = 0;
    Context *context = nullptr;       ///< alive: a context takes its memory with it; null of a pool's memory
    Ref<Object> owner{};              ///< keeps memory that is not `memory`; null where that is the application's
    Pool *pool = nullptr;             ///< that of stream-ordered memory, kept by `owner`
    const CallSite *madeAt = nullptr; ///< where somebody looks, of what the program frees itself
    CUdevice device = -1;             ///< of mapped memory
    bool isManagedVariable = false;
  };
  Allocation(uint64_t address, uint64_t size, Facts facts, std::unique_ptr<DeviceMemory> memory = nullptr)
      : core::Allocation(address, size), kind(facts.kind), flags(facts.flags), context(facts.context), pool(facts.pool),
        madeAt(facts.madeAt), device(facts.device), isManagedVariable(facts.isManagedVariable),
        owner_(std::move(facts.owner)), memory_(std::move(memory)) {}

  const MemoryKind kind;
  const unsigned flags;
  Context *const context;
  Pool *const pool;
  const CallSite *const madeAt;
  const CUdevice device;
  const bool isManagedVariable;
  bool isManaged() const { return kind == MemoryKind::Managed || isManagedVariable; }
  std::atomic<bool> wantsSynchronousCopies{false}; ///< CU_POINTER_ATTRIBUTE_SYNC_MEMOPS

  /// The file that other processes map. Once for each allocation nothing may use it during the call.
  Expected<std::shared_ptr<MemoryFile>> share() const { return memory_->share(); }
  std::shared_ptr<MemoryFile> shared; ///< guarded by those who share it (ipc.cpp)

private:
  const Ref<Object> owner_;
  const std::unique_ptr<DeviceMemory> memory_;
};

/// The allocation that holds an address; null if there is none.
Ref<Allocation> findMemory(uint64_t address);
void addMemory(uint64_t address, uint64_t size, Allocation::Facts facts);
/// Forgets the allocation that begins there.
Ref<Allocation> removeMemory(uint64_t begin);
/// A context that is destroyed takes its memory with it.
void forgetMemoryOf(const Context &context);

/// Memory of the context, which `removeMemory` gives back.
Expected<uint64_t> allocateMemory(Context &context, size_t size, MemoryKind kind, unsigned flags);

/// CUDA_ERROR_INVALID_VALUE unless [address, address + size) lies in one allocation that a device can reach.
Expected<void> checkDeviceRange(uint64_t address, uint64_t size, const char *what);

} // namespace us::cuda
