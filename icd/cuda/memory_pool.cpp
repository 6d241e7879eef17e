// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/memory_pool.h"

#include "icd/cuda/api_checks.h"
#include "icd/cuda/capture.h"
#include "icd/cuda/device.h"
#include "icd/cuda/entry_points.h"
#include "icd/cuda/graph_memory.h"
#include "icd/cuda/managed_access.h"
#include "icd/cuda/stream_checks.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstring>
#include <unistd.h>

namespace us::cuda {
namespace {

auto &handles() {
  static auto &set = *new HandleSet<Pool, CUmemoryPool>;
  return set;
}

/// Which pool an allocation without one comes from.
struct PlaceKey {
  CUmemAllocationType allocation = CU_MEM_ALLOCATION_TYPE_PINNED;
  CUmemLocationType location = CU_MEM_LOCATION_TYPE_DEVICE;
  int id = 0;
  auto operator<=>(const PlaceKey &) const = default;
};

struct Registry {
  std::mutex mutex;                                 // guards all
  std::vector<Ref<Pool>> all;                       ///< also those that are destroyed, until their memory has come back
  std::map<PlaceKey, Ref<Pool>> byDefault, current; ///< current: only where it is another one
};
Registry &registry() {
  static auto &all = *new Registry;
  return all;
}

std::atomic<bool> used{false};

/// What a pool's file begins with, so that another process knows what it gets.
struct FileHead {
  uint64_t mark = 0;
  std::array<uint8_t, 16> device{};
  CUmemAllocationType allocation{};
  CUmemLocation location{};
};
constexpr uint64_t kHeadMark = 0x31304c4f4f505355; // "USPOOL01"

/// What cuMemPoolExportPointer tells.
struct Ticket {
  uint64_t mark = 0, file = 0, offset = 0, room = 0, size = 0;
};
constexpr uint64_t kTicketMark = 0x31304b4954505355; // "USPTIK01"
static_assert(sizeof(Ticket) <= sizeof(CUmemPoolPtrExportData));

Expected<Ref<Pool>> poolOf(CUmemoryPool handle) {
  US_CHECK(checkInitialised());
  Ref<Pool> pool = handles().find(handle);
  if (!pool) return fail(CUDA_ERROR_INVALID_VALUE, "the memory pool is not valid");
  return pool;
}

Expected<void> checkPoolsOf(const Device &device) {
  if (attributeOf(device, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED).value_or(0) == 0)
    return fail(CUDA_ERROR_NOT_SUPPORTED, "the device has no memory pools");
  return {};
}

/// "CU_MEM_LOCATION_TYPE_HOST_NUMA: id must specify the NUMA ID of the host memory node."
bool isHostNode(int id) {
  return id == 0 || (id > 0 && access(format("/sys/devices/system/node/node{}", id).c_str(), F_OK) == 0);
}

/// The device whose memory it is; for the host's memory one that reaches it, which all do.
Expected<Device *> deviceOf(const CUmemPoolProps &properties) {
  const CUmemLocation &location = properties.location;
  const auto refuse = [&](const char *why) {
    return fail(CUDA_ERROR_INVALID_VALUE,
                format("a pool at a location of type {}, id {}: {}", int(location.type), location.id, why));
  };
  if (location.type == CU_MEM_LOCATION_TYPE_DEVICE) {
    if (location.id < 0 || size_t(location.id) >= devices().size()) return refuse("there is no such device");
    return devices()[size_t(location.id)].get();
  }
  const bool isManaged = properties.allocType == CU_MEM_ALLOCATION_TYPE_MANAGED;
  if (location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA && !isHostNode(location.id))
    return refuse("there is no such node");
  // "Specifying CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT ... will result in CUDA_ERROR_INVALID_VALUE."
  const bool isPlace = location.type == CU_MEM_LOCATION_TYPE_HOST || location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA ||
                       (isManaged && location.type == CU_MEM_LOCATION_TYPE_NONE);
  if (!isPlace) return refuse("memory does not lie there");
  return devices().front().get();
}

Expected<void> checkManaged(const CUmemPoolProps &properties) {
  if (properties.handleTypes != CU_MEM_HANDLE_TYPE_NONE || properties.maxSize != 0 || properties.usage != 0)
    return fail(CUDA_ERROR_INVALID_VALUE, "pools of managed memory have no handles, no largest size and no usage");
  for (const Ref<Device> &device : devices())
    if (lacksConcurrentAccess(*device))
      return fail(CUDA_ERROR_NOT_SUPPORTED, "a device does not reach managed memory while the host does");
  return {};
}

Expected<void> checkHandleTypes(const CUmemPoolProps &properties) {
  constexpr int kAll = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR | CU_MEM_HANDLE_TYPE_WIN32 |
                       CU_MEM_HANDLE_TYPE_WIN32_KMT | CU_MEM_HANDLE_TYPE_FABRIC;
  const int types = properties.handleTypes;
  // "Pools created with the type CU_MEM_LOCATION_TYPE_HOST are not IPC capable."
  const bool isHost = properties.location.type == CU_MEM_LOCATION_TYPE_HOST;
  if ((types & ~kAll) || (isHost && types))
    return fail(CUDA_ERROR_INVALID_VALUE, format("the handle types {:#x} are not possible", types));
  if (types & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
    return fail(CUDA_ERROR_NOT_SUPPORTED, format("of the handle types {:#x} there is only the file descriptor", types));
  return {};
}

Expected<std::shared_ptr<MemoryFile>> makeFile(const Device &device, const CUmemPoolProps &properties) {
  US_TRY(std::shared_ptr<MemoryFile> file, MemoryFile::create("understudy-cuda-pool"));
  FileHead head{kHeadMark, {}, properties.allocType, properties.location};
  std::copy_n(device.info().uuid.begin(), head.device.size(), head.device.begin());
  US_CHECK(file->write(0, &head, sizeof head));
  return file;
}

Ref<Pool> addPool(Ref<Pool> pool) {
  handles().add(pool);
  std::lock_guard hold(registry().mutex);
  registry().all.push_back(pool);
  return pool;
}

/// Made when it is first asked for.
Expected<Ref<Pool>> defaultPool(const PlaceKey &key) {
  CUmemPoolProps properties = {};
  properties.allocType = key.allocation;
  properties.location = {key.location, key.id};
  US_TRY(Device *const device, deviceOf(properties));
  US_CHECK(checkPoolsOf(*device));
  if (key.allocation == CU_MEM_ALLOCATION_TYPE_MANAGED) US_CHECK(checkManaged(properties));
  std::lock_guard hold(registry().mutex);
  Ref<Pool> &pool = registry().byDefault[key];
  if (!pool) {
    pool = Ref<Pool>(new Pool(*device, properties, {}, true));
    handles().add(pool);
    registry().all.push_back(pool);
  }
  return pool;
}

Expected<Ref<Pool>> currentPool(const PlaceKey &key) {
  {
    std::lock_guard hold(registry().mutex);
    if (const auto found = registry().current.find(key); found != registry().current.end()) return found->second;
  }
  return defaultPool(key);
}

PlaceKey keyOf(const CUmemPoolProps &properties) {
  const CUmemLocationType where = properties.location.type;
  const bool hasId = where == CU_MEM_LOCATION_TYPE_DEVICE || where == CU_MEM_LOCATION_TYPE_HOST_NUMA;
  return {properties.allocType, where, hasId ? properties.location.id : 0};
}

Expected<PlaceKey> keyOf(const CUmemLocation *location, CUmemAllocationType type) {
  US_CHECK(checkInitialised());
  US_CHECK(checkOut(location, "the location"));
  if (type != CU_MEM_ALLOCATION_TYPE_PINNED && type != CU_MEM_ALLOCATION_TYPE_MANAGED)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no memory of type {}", int(type)));
  CUmemPoolProps properties = {};
  properties.allocType = type;
  properties.location = *location;
  US_CHECK(deviceOf(properties));
  return keyOf(properties);
}

Expected<void> setCurrent(const PlaceKey &key, CUmemoryPool handle) {
  US_TRY(Ref<Pool> pool, poolOf(handle));
  // "The location and allocation type specified must match those of the pool"; "imported memory pools may not be used".
  if (pool->isImported() || keyOf(pool->properties()) != key)
    return fail(CUDA_ERROR_INVALID_VALUE, "the pool's memory is another place's or another process's");
  std::lock_guard hold(registry().mutex);
  registry().current[key] = std::move(pool);
  return {};
}

CUdeviceptr addAllocation(uint64_t address, uint64_t size, Pool &pool) {
  addMemory(address, size, {.kind = pool.kind(), .owner = Ref<Object>(&pool), .pool = &pool});
  return address;
}

Expected<void> allocate(CUdeviceptr *pointer, size_t size, Pool &pool, Stream &stream) {
  if (pool.isImported())
    return fail(CUDA_ERROR_INVALID_VALUE, "a pool of another process does not make new allocations");
  US_TRY(const Ref<Capture> capture, captureOf(stream));
  if (capture) {
    // "During stream capture, this function results in the creation of an allocation node. In this case, the allocation
    // is owned by the graph instead of the memory pool. The memory pool's properties are used to set the node's
    // creation parameters."
    CUDA_MEM_ALLOC_NODE_PARAMS parameters = {};
    parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    parameters.poolProps.location = pool.properties().location;
    parameters.bytesize = size;
    US_TRY(Ref<GraphMemory> memory, allocateForGraph(parameters));
    US_CHECK(capture->add(stream, AllocWork{std::move(memory)}));
    *pointer = parameters.dptr;
    return {};
  }
  // The documents say nothing of it; a driver of CUDA 13.0 gives nothing and calls it a success.
  if (size == 0) {
    *pointer = 0;
    return {};
  }
  used.store(true, std::memory_order_relaxed);
  const core::FreeOrder order = stream.order();
  Expected<core::MemoryPool::Grant> grant = pool.memory().allocate(size, stream.id(), order);
  if (!grant && grant.error().code == ErrorCode::MemObjectAllocationFailure) {
    // What other pools keep for later is of more use now.
    releasePools();
    grant = pool.memory().allocate(size, stream.id(), order);
  }
  if (!grant) return std::unexpected(std::move(grant).error());
  *pointer = addAllocation(grant->address, size, pool);
  if (grant->after) {
    const Ref<core::Event> list[] = {grant->after};
    US_CHECK(stream.enqueue({.waitList = list}));
  }
  if (StreamChecks *const checks = streamChecks())
    if (const Ref<Allocation> made = findMemory(*pointer)) checks->allocated(stream, *made);
  return {};
}

/// Waits for nothing: whoever frees so says that nothing uses it behind the stream's work.
Expected<void> freePlain(Allocation &allocation, Stream &stream) {
  core::CommandRequest request;
  request.keep.push_back(Ref<Object>(&allocation));
  if (StreamChecks *const checks = streamChecks()) request.watch = checks->watchFree(stream, allocation);
  US_CHECK(stream.enqueue(std::move(request)));
  return {};
}

/// An attribute of pools: its size, and how it is read and written.
struct PoolAttributeRow {
  CUmemPool_attribute attribute;
  size_t bytes;
  uint64_t (*get)(const Pool &);
  Expected<void> (*set)(Pool &, uint64_t value); ///< null: it is only read
};
template <bool core::PoolRules::*Rule> uint64_t getRule(const Pool &pool) { return pool.memory().rules().*Rule; }
template <bool core::PoolRules::*Rule> Expected<void> setRule(Pool &pool, uint64_t value) {
  core::PoolRules rules = pool.memory().rules();
  rules.*Rule = value != 0;
  pool.memory().setRules(rules);
  return {};
}
template <uint64_t core::PoolUse::*Number> uint64_t getUse(const Pool &pool) { return pool.memory().use().*Number; }
template <void (core::MemoryPool::*Reset)()> Expected<void> setHigh(Pool &pool, uint64_t value) {
  // "It is illegal to set this attribute to a non-zero value."
  if (value != 0) return fail(CUDA_ERROR_INVALID_VALUE, "a high watermark can only be set to 0");
  (pool.memory().*Reset)();
  return {};
}
Expected<void> setThreshold(Pool &pool, uint64_t value) {
  pool.memory().setThreshold(value);
  return {};
}
using R = core::PoolRules;
using U = core::PoolUse;
using P = const Pool &;
constexpr PoolAttributeRow kPoolAttributes[] = {
    {CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, 4, getRule<&R::followsOrder>, setRule<&R::followsOrder>},
    {CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, 4, getRule<&R::takesEnded>, setRule<&R::takesEnded>},
    {CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, 4, getRule<&R::addsOrder>, setRule<&R::addsOrder>},
    {CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, 8, [](P pool) { return pool.memory().threshold(); }, setThreshold},
    {CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, 8, getUse<&U::reserved>, nullptr},
    {CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, 8, getUse<&U::reservedHigh>, setHigh<&core::MemoryPool::resetReservedHigh>},
    {CU_MEMPOOL_ATTR_USED_MEM_CURRENT, 8, getUse<&U::used>, nullptr},
    {CU_MEMPOOL_ATTR_USED_MEM_HIGH, 8, getUse<&U::usedHigh>, setHigh<&core::MemoryPool::resetUsedHigh>},
    {CU_MEMPOOL_ATTR_ALLOCATION_TYPE, 4, [](P pool) { return uint64_t(pool.properties().allocType); }, nullptr},
    // "For imported pools this value is always CU_MEM_HANDLE_TYPE_NONE."
    {CU_MEMPOOL_ATTR_EXPORT_HANDLE_TYPES, 4,
     [](P pool) { return uint64_t(pool.isImported() ? CU_MEM_HANDLE_TYPE_NONE : pool.properties().handleTypes); },
     nullptr},
    {CU_MEMPOOL_ATTR_LOCATION_ID, 4, [](P pool) { return uint64_t(pool.properties().location.id); }, nullptr},
    {CU_MEMPOOL_ATTR_LOCATION_TYPE, 4, [](P pool) { return uint64_t(pool.properties().location.type); }, nullptr},
    {CU_MEMPOOL_ATTR_MAX_POOL_SIZE, 8, [](P pool) { return pool.memory().maxSize(); }, nullptr},
    {CU_MEMPOOL_ATTR_HW_DECOMPRESS_ENABLED, 4, [](P) { return uint64_t(0); }, nullptr},
};

Expected<const PoolAttributeRow *> attributeRow(CUmemPool_attribute attribute) {
  for (const PoolAttributeRow &row : kPoolAttributes)
    if (row.attribute == attribute) return &row;
  return fail(CUDA_ERROR_INVALID_VALUE, format("there is no attribute {} of memory pools", int(attribute)));
}

Expected<void> checkAccessFrom(const CUmemLocation &location) {
  if (location.type == CU_MEM_LOCATION_TYPE_HOST) return {};
  if (location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA && isHostNode(location.id)) return {};
  if (location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return fail(CUDA_ERROR_INVALID_VALUE,
                format("nobody reaches memory from a location of type {}", int(location.type)));
  US_CHECK(deviceAt(location.id));
  return {};
}

Expected<void> checkFileHandle(CUmemAllocationHandleType type, unsigned long long flags) {
  // "flags must be 0"
  if (flags != 0) return fail(CUDA_ERROR_INVALID_VALUE, format("flags {:#x} are not defined", flags));
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
    return fail(CUDA_ERROR_INVALID_VALUE, format("a pool has no handle of type {:#x}", int(type)));
  return {};
}

} // namespace

Pool::Pool(Device &device, const CUmemPoolProps &properties, core::PoolRequest request, bool isDefault)
    : properties_(properties), request_(request), isDefault_(isDefault),
      memory_(new core::MemoryPool(device, std::move(request))) {
  access_[{properties.location.type, properties.location.id}] = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
}

MemoryKind Pool::kind() const {
  if (properties_.allocType == CU_MEM_ALLOCATION_TYPE_MANAGED) return MemoryKind::Managed;
  return properties_.location.type == CU_MEM_LOCATION_TYPE_DEVICE ? MemoryKind::Device : MemoryKind::Host;
}

CUmemAccess_flags Pool::access(const CUmemLocation &from) const {
  std::lock_guard hold(mutex_);
  const auto found = access_.find({from.type, from.id});
  return found == access_.end() ? CU_MEM_ACCESS_FLAGS_PROT_NONE : found->second;
}

void Pool::setAccess(const CUmemLocation &from, CUmemAccess_flags flags) {
  std::lock_guard hold(mutex_);
  access_[{from.type, from.id}] = flags;
}

CUmemoryPool handleOf(const Pool &pool) { return handleTo<CUmemoryPool>(pool); }

bool poolsAreUsed() { return used.load(std::memory_order_relaxed); }

void poolsSynchronised(const core::FreeOrder *order) {
  std::vector<Ref<Pool>> all;
  {
    std::lock_guard hold(registry().mutex);
    all = registry().all;
  }
  for (const Ref<Pool> &pool : all) {
    pool->memory().observe(order);
    if (handles().find(handleOf(*pool)) || !pool->memory().close()) continue;
    std::lock_guard hold(registry().mutex);
    std::erase(registry().all, pool);
  }
}

uint64_t reservedByPools(const Device &device) {
  uint64_t bytes = 0;
  std::lock_guard hold(registry().mutex);
  for (const Ref<Pool> &pool : registry().all)
    if (&pool->memory().device() == &device && pool->kind() != MemoryKind::Host && !pool->isImported())
      bytes += pool->memory().use().reserved;
  return bytes;
}

void releasePools() {
  std::lock_guard hold(registry().mutex);
  for (const Ref<Pool> &pool : registry().all) pool->memory().trim(0);
}

Expected<void> freePooled(const Allocation &allocation, Stream *stream) {
  core::FreePoint point;
  if (stream) {
    core::CommandRequest request;
    if (StreamChecks *const checks = streamChecks()) request.watch = checks->watchFree(*stream, allocation);
    US_TRY(point, stream->freePoint(std::move(request)));
  }
  allocation.pool->memory().free(allocation.address(), std::move(point));
  return {};
}

// --- Allocations ---

Expected<void> memAllocAsync(CUdeviceptr *pointer, size_t size, CUstream handle) {
  US_CHECK(checkOut(pointer, "the result"));
  US_TRY(const Ref<Stream> stream, streamAnywhere(handle));
  // "The allocation comes from the memory pool current to the stream's device."
  US_TRY(const Ref<Pool> pool, currentPool({.id = stream->context().number()}));
  return allocate(pointer, size, *pool, *stream);
}

Expected<void> memAllocFromPoolAsync(CUdeviceptr *pointer, size_t size, CUmemoryPool poolHandle, CUstream handle) {
  US_CHECK(checkOut(pointer, "the result"));
  US_TRY(const Ref<Pool> pool, poolOf(poolHandle));
  US_TRY(const Ref<Stream> stream, streamAnywhere(handle));
  return allocate(pointer, size, *pool, *stream);
}

Expected<void> memFreeAsync(CUdeviceptr pointer, CUstream handle) {
  US_TRY(const Ref<Stream> stream, streamAnywhere(handle));
  US_CHECK(checkPoolsOf(stream->context().device()));
  if (pointer == 0) return {}; // what an allocation of no bytes gives
  US_TRY(const Ref<Capture> capture, captureOf(*stream));
  if (const Ref<GraphMemory> memory = graphMemoryAt(pointer); memory || capture) {
    // "During stream capture, this function results in the creation of a free node and must therefore be passed the
    // address of a graph allocation."
    if (!memory) return fail(CUDA_ERROR_INVALID_VALUE, format("{:#x} is no allocation of a graph", uint64_t(pointer)));
    if (!capture) return memory->free();
    const GraphLock lock(graphMutex());
    US_CHECK(checkFree(*memory, *capture->graph));
    return capture->add(*stream, FreeWork{memory});
  }
  const Ref<Allocation> found = findMemory(pointer);
  // Memory of cuMemAlloc can be freed so too: "The user must make the same guarantees about accesses being complete."
  const bool fits = found && found->address() == pointer && (found->pool || found->kind == MemoryKind::Device);
  if (!fits)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{:#x} is not the beginning of a device allocation", pointer));
  const Ref<Allocation> mine = removeMemory(pointer);
  if (!mine) return fail(CUDA_ERROR_INVALID_VALUE, format("{:#x} was freed by another thread", pointer));
  return mine->pool ? freePooled(*mine, stream.get()) : freePlain(*mine, *stream);
}

// --- Pools ---

Expected<void> memPoolCreate(CUmemoryPool *handle, const CUmemPoolProps *properties) {
  US_CHECK(checkOut(handle, "the result"));
  US_CHECK(checkOut(properties, "the properties"));
  US_CHECK(checkInitialised());
  const CUmemAllocationType type = properties->allocType;
  if (type != CU_MEM_ALLOCATION_TYPE_PINNED && type != CU_MEM_ALLOCATION_TYPE_MANAGED)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no memory of type {}", int(type)));
  US_TRY(Device *const device, deviceOf(*properties));
  US_CHECK(checkPoolsOf(*device));
  if (type == CU_MEM_ALLOCATION_TYPE_MANAGED) US_CHECK(checkManaged(*properties));
  US_CHECK(checkHandleTypes(*properties));
  // The one usage that is defined is decompression by hardware.
  if (properties->usage != 0)
    return fail(CUDA_ERROR_NOT_SUPPORTED, format("the usage {:#x} is not possible", properties->usage));
  core::PoolRequest request;
  request.maxSize = properties->maxSize;
  if (properties->handleTypes != CU_MEM_HANDLE_TYPE_NONE) {
    US_TRY(request.file, makeFile(*device, *properties));
  }
  *handle = handleOf(*addPool(Ref<Pool>(new Pool(*device, *properties, std::move(request), false))));
  return {};
}

Expected<void> memPoolDestroy(CUmemoryPool handle) {
  US_TRY(const Ref<Pool> pool, poolOf(handle));
  // "A device's default memory pool cannot be destroyed."
  if (pool->isDefault()) return fail(CUDA_ERROR_INVALID_VALUE, "a default memory pool cannot be destroyed");
  if (!handles().remove(handle)) return fail(CUDA_ERROR_INVALID_VALUE, "the memory pool is not valid");
  const bool isEmpty = pool->memory().close();
  std::lock_guard hold(registry().mutex);
  // "Destroying the current mempool of a device sets the default mempool of that device as the current mempool."
  std::erase_if(registry().current, [&](const auto &row) { return row.second == pool; });
  // "the resources ... will be released automatically once there are no more outstanding allocations"
  if (isEmpty) std::erase(registry().all, pool);
  return {};
}

Expected<void> memPoolGetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void *value) {
  US_CHECK(checkOut(value, "the result"));
  US_TRY(const Ref<Pool> pool, poolOf(handle));
  US_TRY(const PoolAttributeRow *const row, attributeRow(attribute));
  const uint64_t found = row->get(*pool);
  std::memcpy(value, &found, row->bytes);
  return {};
}

Expected<void> memPoolSetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void *value) {
  US_CHECK(checkOut(value, "the value"));
  US_TRY(const Ref<Pool> pool, poolOf(handle));
  US_TRY(const PoolAttributeRow *const row, attributeRow(attribute));
  if (!row->set)
    return fail(CUDA_ERROR_INVALID_VALUE, format("attribute {} of memory pools is not set", int(attribute)));
  uint64_t given = 0;
  std::memcpy(&given, value, row->bytes);
  return row->set(*pool, given);
}

Expected<void> memPoolTrimTo(CUmemoryPool handle, size_t keep) {
  US_TRY(const Ref<Pool> pool, poolOf(handle));
  pool->memory().trim(keep);
  return {};
}

/// All emulated devices live in one memory: what is set is told again, and holds nobody back.
Expected<void> memPoolSetAccess(CUmemoryPool handle, const CUmemAccessDesc *descriptions, size_t count) {
  US_TRY(const Ref<Pool> pool, poolOf(handle));
  if (count != 0) US_CHECK(checkOut(descriptions, "the description"));
  for (size_t i = 0; i < count; ++i) {
    const CUmemAccessDesc &given = descriptions[i];
    US_CHECK(checkAccessFrom(given.location));
    if (given.flags != CU_MEM_ACCESS_FLAGS_PROT_NONE && given.flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
        given.flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
      return fail(CUDA_ERROR_INVALID_VALUE, format("there is no access {:#x}", int(given.flags)));
    const CUmemLocation &home = pool->properties().location;
    const bool isHome = given.location.type == home.type && given.location.id == home.id;
    // As real drivers answer.
    if (isHome && given.flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
      return fail(CUDA_ERROR_INVALID_DEVICE, "a device reaches its own memory");
  }
  for (size_t i = 0; i < count; ++i) pool->setAccess(descriptions[i].location, descriptions[i].flags);
  return {};
}

Expected<void> memPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool handle, CUmemLocation *location) {
  US_CHECK(checkOut(flags, "the result"));
  US_CHECK(checkOut(location, "the location"));
  US_TRY(const Ref<Pool> pool, poolOf(handle));
  US_CHECK(checkAccessFrom(*location));
  *flags = pool->access(*location);
  return {};
}

// --- The pools of places ---

Expected<void> deviceGetDefaultMemPool(CUmemoryPool *handle, CUdevice device) {
  US_CHECK(checkOut(handle, "the result"));
  US_CHECK(deviceAt(device));
  US_TRY(const Ref<Pool> pool, defaultPool({.id = device}));
  *handle = handleOf(*pool);
  return {};
}

Expected<void> deviceGetMemPool(CUmemoryPool *handle, CUdevice device) {
  US_CHECK(checkOut(handle, "the result"));
  US_CHECK(deviceAt(device));
  US_TRY(const Ref<Pool> pool, currentPool({.id = device}));
  *handle = handleOf(*pool);
  return {};
}

Expected<void> deviceSetMemPool(CUdevice device, CUmemoryPool handle) {
  US_CHECK(deviceAt(device));
  return setCurrent({.id = device}, handle);
}

Expected<void> memGetDefaultMemPool(CUmemoryPool *handle, CUmemLocation *location, CUmemAllocationType type) {
  US_CHECK(checkOut(handle, "the result"));
  US_TRY(const PlaceKey key, keyOf(location, type));
  US_TRY(const Ref<Pool> pool, defaultPool(key));
  *handle = handleOf(*pool);
  return {};
}

Expected<void> memGetMemPool(CUmemoryPool *handle, CUmemLocation *location, CUmemAllocationType type) {
  US_CHECK(checkOut(handle, "the result"));
  US_TRY(const PlaceKey key, keyOf(location, type));
  US_TRY(const Ref<Pool> pool, currentPool(key));
  *handle = handleOf(*pool);
  return {};
}

Expected<void> memSetMemPool(CUmemLocation *location, CUmemAllocationType type, CUmemoryPool handle) {
  US_TRY(const PlaceKey key, keyOf(location, type));
  return setCurrent(key, handle);
}

// --- Other processes ---

Expected<void> memPoolExportToShareableHandle(void *into, CUmemoryPool handle, CUmemAllocationHandleType type,
                                              unsigned long long flags) {
  US_CHECK(checkOut(into, "the result"));
  US_TRY(const Ref<Pool> pool, poolOf(handle));
  US_CHECK(checkFileHandle(type, flags));
  if (!pool->file() || pool->isImported())
    return fail(CUDA_ERROR_INVALID_VALUE, "the memory pool was not made to be shared");
  US_TRY(const int descriptor, pool->file()->duplicate());
  std::memcpy(into, &descriptor, sizeof descriptor);
  return {};
}

Expected<void> memPoolImportFromShareableHandle(CUmemoryPool *handle, void *given, CUmemAllocationHandleType type,
                                                unsigned long long flags) {
  US_CHECK(checkOut(handle, "the result"));
  US_CHECK(checkInitialised());
  US_CHECK(checkFileHandle(type, flags));
  US_TRY(std::shared_ptr<MemoryFile> file, MemoryFile::open(int(reinterpret_cast<intptr_t>(given))));
  FileHead head;
  US_CHECK(file->read(0, &head, sizeof head));
  if (head.mark != kHeadMark) return fail(CUDA_ERROR_INVALID_VALUE, "the file descriptor is no memory pool's");
  CUmemPoolProps properties = {};
  properties.allocType = head.allocation;
  properties.location = head.location;
  // The number that this process gives the device.
  for (size_t i = 0; i < devices().size() && head.location.type == CU_MEM_LOCATION_TYPE_DEVICE; ++i)
    if (std::equal(head.device.begin(), head.device.end(), devices()[i]->info().uuid.begin()))
      properties.location.id = int(i);
  US_TRY(Device *const device, deviceOf(properties));
  US_CHECK(checkPoolsOf(*device));
  *handle = handleOf(*addPool(Ref<Pool>(new Pool(*device, properties, {0, std::move(file), true}, false))));
  return {};
}

Expected<void> memPoolExportPointer(CUmemPoolPtrExportData *data, CUdeviceptr pointer) {
  US_CHECK(checkOut(data, "the result"));
  US_CHECK(checkInitialised());
  const Ref<Allocation> found = findMemory(pointer);
  const std::optional<core::MemoryPool::Place> place =
      found && found->pool && !found->pool->isImported() ? found->pool->memory().placeOf(pointer) : std::nullopt;
  if (!place) return fail(CUDA_ERROR_INVALID_VALUE, format("{:#x} is no allocation of a pool that is shared", pointer));
  const Ticket ticket{kTicketMark, found->pool->file()->identity(), place->offset, place->size, found->size()};
  *data = {};
  std::memcpy(data->reserved, &ticket, sizeof ticket);
  return {};
}

Expected<void> memPoolImportPointer(CUdeviceptr *pointer, CUmemoryPool handle, CUmemPoolPtrExportData *data) {
  US_CHECK(checkOut(pointer, "the result"));
  US_CHECK(checkOut(data, "the data"));
  US_TRY(const Ref<Pool> pool, poolOf(handle));
  Ticket ticket;
  std::memcpy(&ticket, data->reserved, sizeof ticket);
  if (!pool->isImported() || ticket.mark != kTicketMark || ticket.file != pool->file()->identity() ||
      ticket.size > ticket.room)
    return fail(CUDA_ERROR_INVALID_VALUE, "the data is of no allocation of that imported pool");
  used.store(true, std::memory_order_relaxed);
  US_TRY(const uint64_t address, pool->memory().adopt({ticket.offset, ticket.room}));
  *pointer = addAllocation(address, ticket.size, *pool);
  return {};
}

} // namespace us::cuda
