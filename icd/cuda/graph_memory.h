// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of graphs' allocation nodes, and the words of conditional handles.
#pragma once

#include "icd/cuda/memory.h"

namespace us::cuda {

class Graph;

/// Memory of an allocation node. Its address is there from the node's creation on; between launches it is "live" or
/// not.
class GraphMemory final : public Object {
public:
  GraphMemory(Device &device, CUDA_MEM_ALLOC_NODE_PARAMS text, std::vector<CUmemAccessDesc> access,
              std::unique_ptr<DeviceMemory> memory);
  ~GraphMemory() override;

  Device &device() const { return *device_; }
  uint64_t address() const { return memory_->address(); }
  uint64_t size() const { return size_; }
  const CUDA_MEM_ALLOC_NODE_PARAMS &text() const { return text_; }

  /// A launch allocates it: CUDA_ERROR_INVALID_VALUE if the last one's was not freed.
  Expected<void> allocate();
  /// CUDA_ERROR_INVALID_VALUE if it is not allocated.
  Expected<void> free();
  bool isLive() const { return isLive_.load(); }

  bool isFreedByOwner = false, isFreedByOther = false; ///< a node does; guarded by graphMutex

private:
  const Ref<Device> device_;
  const uint64_t size_;
  const std::vector<CUmemAccessDesc> access_;
  CUDA_MEM_ALLOC_NODE_PARAMS text_;
  const std::unique_ptr<DeviceMemory> memory_;
  std::atomic<bool> isLive_{false};
};

/// What a free node in a graph must not be. CUDA_ERROR_INVALID_VALUE.
Expected<void> checkFree(GraphMemory &memory, const Graph &graph);
/// The memory of an allocation node that begins there; null: there is none.
Ref<GraphMemory> graphMemoryAt(uint64_t address);
Expected<Ref<GraphMemory>> allocateForGraph(CUDA_MEM_ALLOC_NODE_PARAMS &parameters);

/// The word that a conditional handle stands for.
class Condition final : public Object {
public:
  Condition(Ref<Context> context, std::unique_ptr<DeviceMemory> memory, uint32_t value, bool isAssigned)
      : context(std::move(context)), value(value), isAssigned(isAssigned), memory_(std::move(memory)) {}
  ~Condition() override;
  const Ref<Context> context;
  const uint32_t value;  ///< at the beginning of a launch, if
  const bool isAssigned; ///< this
  bool isUsed = false;   ///< by a node; guarded by graphMutex
  uint32_t *word() const { return reinterpret_cast<uint32_t *>(memory_->hostAddress()); }
  /// What kernels write through.
  CUgraphConditionalHandle handle() const { return memory_->address(); }

private:
  const std::unique_ptr<DeviceMemory> memory_;
};

/// CUDA_ERROR_INVALID_VALUE.
Expected<Ref<Condition>> conditionOf(CUgraphConditionalHandle handle);

} // namespace us::cuda
