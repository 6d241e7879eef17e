// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/graph_memory.h"

#include "icd/cuda/device.h"
#include "icd/cuda/entry_points.h"
#include "icd/cuda/graph.h"
#include "icd/cuda/memory_pool.h"

namespace us::cuda {
namespace {

/// What the API tells of a device.
struct Use {
  uint64_t used = 0, usedHigh = 0, reserved = 0, reservedHigh = 0;
};

struct Registry {
  std::mutex mutex;                      // guards all
  std::map<uint64_t, GraphMemory *> all; ///< by address; each takes itself out
  std::map<GraphMemory *, Ref<GraphMemory>> live;
  std::set<GraphMemory *> reserved; ///< was allocated once, and not trimmed since
  std::map<const Device *, Use> use;
  std::map<CUgraphConditionalHandle, Condition *> conditions;
};
Registry &registry() {
  static auto &all = *new Registry;
  return all;
}

/// With the lock held.
void unreserve(GraphMemory &memory) {
  if (registry().reserved.erase(&memory)) registry().use[&memory.device()].reserved -= memory.size();
}

Expected<void> checkAttribute(CUgraphMem_attribute attribute) {
  if (unsigned(attribute) <= CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH) return {};
  return fail(CUDA_ERROR_INVALID_VALUE, format("there is no attribute {} of graphs' memory", int(attribute)));
}

} // namespace

GraphMemory::GraphMemory(Device &device, CUDA_MEM_ALLOC_NODE_PARAMS text, std::vector<CUmemAccessDesc> access,
                         std::unique_ptr<DeviceMemory> memory)
    : device_(&device), size_(text.bytesize), access_(std::move(access)), text_(text), memory_(std::move(memory)) {
  text_.dptr = memory_->address();
  text_.accessDescs = access_.empty() ? nullptr : access_.data();
  text_.accessDescCount = access_.size();
  std::lock_guard hold(registry().mutex);
  registry().all[address()] = this;
}

GraphMemory::~GraphMemory() {
  (void)removeMemory(address());
  std::lock_guard hold(registry().mutex);
  unreserve(*this);
  registry().all.erase(address());
}

Expected<void> GraphMemory::allocate() {
  std::lock_guard hold(registry().mutex);
  if (isLive_) return fail(CUDA_ERROR_INVALID_VALUE, format("the allocation at {:#x} was not freed", address()));
  isLive_ = true;
  registry().live[this] = Ref<GraphMemory>(this);
  Use &use = registry().use[device_.get()];
  use.used += size_;
  use.usedHigh = std::max(use.usedHigh, use.used);
  if (registry().reserved.insert(this).second) use.reserved += size_;
  use.reservedHigh = std::max(use.reservedHigh, use.reserved);
  return {};
}

Expected<void> GraphMemory::free() {
  Ref<GraphMemory> gone; // goes without the lock
  std::lock_guard hold(registry().mutex);
  if (!isLive_) return fail(CUDA_ERROR_INVALID_VALUE, format("the memory at {:#x} is not allocated", address()));
  isLive_ = false;
  registry().use[device_.get()].used -= size_;
  gone = std::move(registry().live[this]);
  registry().live.erase(this);
  return {};
}

Ref<GraphMemory> graphMemoryAt(uint64_t address) {
  std::lock_guard hold(registry().mutex);
  const auto found = registry().all.find(address);
  if (found == registry().all.end() || !found->second->retainIfAlive()) return nullptr;
  return Ref<GraphMemory>::adopt(found->second);
}

Expected<void> checkFree(GraphMemory &memory, const Graph &graph) {
  const bool isOwner = graph.allocated.count(&memory) != 0;
  // "an allocation twice in the same graph"; "If the allocation is freed in the same graph, a free node cannot be added
  // to another graph. If the allocation is freed in another graph, a free node can no longer be added to the owning
  // graph."
  if (graph.freed.count(&memory) || (isOwner ? memory.isFreedByOther : memory.isFreedByOwner))
    return fail(CUDA_ERROR_INVALID_VALUE, format("the memory at {:#x} is freed by a node already", memory.address()));
  (isOwner ? memory.isFreedByOwner : memory.isFreedByOther) = true;
  return {};
}

Expected<Ref<GraphMemory>> allocateForGraph(CUDA_MEM_ALLOC_NODE_PARAMS &parameters) {
  US_TRY(const Ref<Context> context, currentContext());
  const CUmemPoolProps &pool = parameters.poolProps;
  // "poolProps: in: location where the allocation should reside (specified in location). handleTypes must be
  // CU_MEM_HANDLE_TYPE_NONE. IPC is not supported."
  if (pool.handleTypes != CU_MEM_HANDLE_TYPE_NONE || pool.allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
      pool.location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return fail(CUDA_ERROR_INVALID_VALUE,
                format("memory of type {} at a location of type {} with handles of type {:#x}", int(pool.allocType),
                       int(pool.location.type), int(pool.handleTypes)));
  US_TRY(Device & device, deviceAt(pool.location.id));
  if (parameters.bytesize == 0) return fail(CUDA_ERROR_INVALID_VALUE, "an allocation of 0 bytes");
  std::vector<CUmemAccessDesc> access;
  if (parameters.accessDescCount != 0) {
    US_CHECK(checkOut(parameters.accessDescs, "the description of accesses"));
    access.assign(parameters.accessDescs, parameters.accessDescs + parameters.accessDescCount);
  }
  for (const CUmemAccessDesc &one : access) {
    if (one.location.type != CU_MEM_LOCATION_TYPE_DEVICE)
      return fail(CUDA_ERROR_INVALID_VALUE, format("access from a location of type {}", int(one.location.type)));
    US_CHECK(deviceAt(one.location.id));
  }
  const MemoryRequest request{.size = parameters.bytesize,
                              .alignment = 512,
                              .isPointedTo = true,
                              .owner = {.what = "allocation of a graph's node"}};
  US_TRY(std::unique_ptr<DeviceMemory> memory, core::allocateOn(device, request));
  const Ref<GraphMemory> made(new GraphMemory(device, parameters, std::move(access), std::move(memory)));
  addMemory(made->address(), made->size(), {.kind = MemoryKind::Device, .context = context.get()});
  parameters.dptr = made->address();
  return made;
}

Condition::~Condition() {
  std::lock_guard hold(registry().mutex);
  registry().conditions.erase(handle());
}

Expected<Ref<Condition>> conditionOf(CUgraphConditionalHandle handle) {
  std::lock_guard hold(registry().mutex);
  const auto found = registry().conditions.find(handle);
  if (found == registry().conditions.end() || !found->second->retainIfAlive())
    return fail(CUDA_ERROR_INVALID_VALUE, "the conditional handle is not valid");
  return Ref<Condition>::adopt(found->second);
}

// --- Entry points ---

Expected<void> graphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph graphHandle,
                                            CUcontext contextHandle, unsigned value, unsigned flags) {
  US_CHECK(checkOut(handle, "the result"));
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Graph> graph, graphOf(graphHandle));
  US_TRY(const Ref<Context> context, contextHandle ? contextOf(contextHandle) : currentContext());
  // "Currently must be CU_GRAPH_COND_ASSIGN_DEFAULT or 0."
  if (flags & ~unsigned(CU_GRAPH_COND_ASSIGN_DEFAULT))
    return fail(CUDA_ERROR_INVALID_VALUE, format("flags {:#x} are not defined", flags));
  const MemoryRequest request{
      .size = 16, .alignment = 16, .isPointedTo = true, .owner = {.what = "a conditional handle"}};
  US_TRY(std::unique_ptr<DeviceMemory> memory, core::allocateOn(context->device(), request));
  if (!memory->hostAddress()) return fail(CUDA_ERROR_NOT_SUPPORTED, "the host cannot reach the device's memory");
  std::memset(memory->hostAddress(), 0, request.size);
  const Ref<Condition> made(
      new Condition(context, std::move(memory), value, (flags & CU_GRAPH_COND_ASSIGN_DEFAULT) != 0));
  *made->word() = value;
  {
    std::lock_guard hold(registry().mutex);
    registry().conditions[made->handle()] = made.get();
  }
  graph->conditions.push_back(made);
  *handle = made->handle();
  return {};
}

Expected<void> deviceGetGraphMemAttribute(CUdevice number, CUgraphMem_attribute attribute, void *value) {
  US_CHECK(checkOut(value, "the result"));
  US_TRY(Device & device, deviceAt(number));
  US_CHECK(checkAttribute(attribute));
  std::lock_guard hold(registry().mutex);
  const Use &use = registry().use[&device];
  const uint64_t all[] = {use.used, use.usedHigh, use.reserved, use.reservedHigh};
  std::memcpy(value, &all[attribute], sizeof all[0]);
  return {};
}

Expected<void> deviceSetGraphMemAttribute(CUdevice number, CUgraphMem_attribute attribute, void *value) {
  US_CHECK(checkOut(value, "the value"));
  US_TRY(Device & device, deviceAt(number));
  US_CHECK(checkAttribute(attribute));
  uint64_t given = 0;
  std::memcpy(&given, value, sizeof given);
  // "High watermark attributes can only be reset to zero."
  const bool isHigh = attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH || attribute == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH;
  if (!isHigh || given != 0)
    return fail(CUDA_ERROR_INVALID_VALUE, format("attribute {} is set to {}", int(attribute), given));
  std::lock_guard hold(registry().mutex);
  Use &use = registry().use[&device];
  if (attribute == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH)
    use.usedHigh = use.used;
  else
    use.reservedHigh = use.reserved;
  return {};
}

Expected<void> deviceGraphMemTrim(CUdevice number) {
  US_TRY(Device & device, deviceAt(number));
  std::lock_guard hold(registry().mutex);
  for (const auto &[address, memory] : registry().all)
    if (&memory->device() == &device && !memory->isLive()) unreserve(*memory);
  return {};
}

Expected<void> graphMemAllocNodeGetParams(CUgraphNode handle, CUDA_MEM_ALLOC_NODE_PARAMS *parameters) {
  US_CHECK(checkOut(parameters, "the result"));
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Node> node, nodeOf(handle));
  const auto *const work = std::get_if<AllocWork>(&node->work);
  if (!work) return fail(CUDA_ERROR_INVALID_VALUE, "the node is no allocation");
  *parameters = work->memory->text();
  return {};
}

Expected<void> graphMemFreeNodeGetParams(CUgraphNode handle, CUdeviceptr *pointer) {
  US_CHECK(checkOut(pointer, "the result"));
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Node> node, nodeOf(handle));
  const auto *const work = std::get_if<FreeWork>(&node->work);
  if (!work) return fail(CUDA_ERROR_INVALID_VALUE, "the node frees nothing");
  *pointer = work->memory->address();
  return {};
}

} // namespace us::cuda
