// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual memory management: memory without addresses, addresses without memory, and what puts the one behind the
// other. Kernels, copies and the host use the same addresses, so all of it is the process's: memory is a file, a
// reservation is a range that nobody may touch, and mapping is mapping.
#include "icd/cuda/virtual_memory.h"
#include "icd/cuda/device.h"
#include "icd/cuda/entry_points.h"
#include "icd/cuda/memory.h"
#include "runtime/base/align.h"
#include "runtime/base/memory_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <vector>

namespace us::cuda {
namespace {

/// Sizes and addresses are multiples of this, as with real devices.
constexpr uint64_t kGranularity = 2u << 20;

/// What cuMemCreate made.
class Block final : public Object {
public:
  Block(CUmemAllocationProp properties, std::shared_ptr<MemoryFile> file, uint64_t size)
      : properties(properties), file(std::move(file)), size(size) {}
  const CUmemAllocationProp properties;
  const std::shared_ptr<MemoryFile> file;
  const uint64_t size;
  uint64_t references = 1; ///< of the program; guarded by State::mutex
};

struct Mapping {
  uint64_t size = 0;
  Ref<Block> block;
  std::map<std::pair<int, int>, CUmemAccess_flags> access; ///< by location
  bool isReachable = false;                                ///< it is an allocation for copies
};

struct State {
  std::mutex mutex; // guards all
  std::map<CUmemGenericAllocationHandle, Ref<Block>> blocks;
  std::map<uint64_t, uint64_t> reservations; ///< address, size
  std::map<uint64_t, Mapping> mappings;      ///< by address
  std::map<int, uint64_t> used;              ///< bytes of a device
};
State &state() {
  static auto &all = *new State;
  return all;
}

CUmemGenericAllocationHandle handleOf(const Block &block) { return reinterpret_cast<uint64_t>(&block) | kHandleMark; }

/// With the lock held.
Expected<Ref<Block>> blockOf(CUmemGenericAllocationHandle handle) {
  const auto found = state().blocks.find(handle);
  if (found == state().blocks.end()) return fail(CUDA_ERROR_INVALID_VALUE, "the memory handle is not valid");
  return found->second;
}

Expected<void> checkAligned(uint64_t value, const char *what) {
  if (value != 0 && value % kGranularity == 0) return {};
  return fail(CUDA_ERROR_INVALID_VALUE, format("{} {:#x} is no multiple of {}", what, value, kGranularity));
}

Expected<void> checkFlags(unsigned long long flags) {
  // "flags: currently unused, must be zero"
  if (flags == 0) return {};
  return fail(CUDA_ERROR_INVALID_VALUE, format("flags {:#x} are not defined", flags));
}

Expected<Device *> checkProperties(const CUmemAllocationProp *properties) {
  US_CHECK(checkInitialised());
  US_CHECK(checkOut(properties, "the properties"));
  if (properties->type != CU_MEM_ALLOCATION_TYPE_PINNED)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no memory of type {}", int(properties->type)));
  if (properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE) {
    const bool isHost = properties->location.type == CU_MEM_LOCATION_TYPE_HOST ||
                        properties->location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA ||
                        properties->location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
    return fail(isHost ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE,
                format("memory at a location of type {}", int(properties->location.type)));
  }
  US_TRY(Device & device, deviceAt(properties->location.id));
  const int types = properties->requestedHandleTypes;
  if (types & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
    return fail(CUDA_ERROR_NOT_SUPPORTED, format("of the handle types {:#x} there is only the file descriptor", types));
  return &device;
}

/// The mappings of a range, which they fill without a gap. With the lock held.
Expected<std::vector<std::pair<const uint64_t, Mapping> *>> mappingsOf(uint64_t begin, uint64_t size) {
  std::vector<std::pair<const uint64_t, Mapping> *> found;
  uint64_t at = begin;
  for (auto next = state().mappings.find(begin);
       next != state().mappings.end() && next->first == at && at < begin + size; ++next) {
    found.push_back(&*next);
    at += next->second.size;
  }
  if (size != 0 && at == begin + size) return found;
  return fail(CUDA_ERROR_INVALID_VALUE, format("{} bytes at {:#x} are not mapped one by one", size, begin));
}

int protectionOf(const Mapping &mapping) {
  int protection = PROT_NONE;
  for (const auto &[location, flags] : mapping.access) {
    if (flags & CU_MEM_ACCESS_FLAGS_PROT_READ) protection |= PROT_READ;
    if (flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE) protection |= PROT_WRITE;
  }
  return protection;
}

Expected<void> failSystem(const char *what) {
  return fail(CUDA_ERROR_OUT_OF_MEMORY, format("the system did not {}: {}", what, std::strerror(errno)));
}

/// With the lock held: the program has no handle of it any more, or the last mapping has gone.
void dropIfUnused(Block &block) {
  if (block.references != 0 || !state().blocks.count(handleOf(block))) return;
  for (const auto &[address, mapping] : state().mappings)
    if (mapping.block.get() == &block) return;
  state().used[block.properties.location.id] -= block.size;
  state().blocks.erase(handleOf(block));
}

} // namespace

uint64_t virtualMemoryOf(CUdevice device) {
  std::lock_guard hold(state().mutex);
  const auto found = state().used.find(device);
  return found == state().used.end() ? 0 : found->second;
}

Expected<void> memGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *properties,
                                           CUmemAllocationGranularity_flags option) {
  US_CHECK(checkOut(granularity, "the result"));
  US_CHECK(checkProperties(properties));
  if (unsigned(option) > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no granularity {}", int(option)));
  *granularity = kGranularity;
  return {};
}

/// "The size of this allocation must be a multiple of the value given via cuMemGetAllocationGranularity with the
/// CU_MEM_ALLOC_GRANULARITY_MINIMUM flag."
Expected<void> memCreate(CUmemGenericAllocationHandle *handle, size_t size, const CUmemAllocationProp *properties,
                         unsigned long long flags) {
  US_CHECK(checkOut(handle, "the result"));
  US_CHECK(checkFlags(flags));
  US_TRY(Device *const device, checkProperties(properties));
  US_CHECK(checkAligned(size, "the size"));
  std::lock_guard hold(state().mutex);
  uint64_t &used = state().used[properties->location.id];
  const uint64_t all = device->info().globalMemory;
  // An H100 refuses it here, not where its granularity is asked for.
  if (properties->allocFlags.compressionType > CU_MEM_ALLOCATION_COMP_GENERIC)
    return fail(CUDA_ERROR_INVALID_VALUE,
                format("there is no compression {}", int(properties->allocFlags.compressionType)));
  if (size > all || used > all - size)
    return fail(CUDA_ERROR_OUT_OF_MEMORY, format("{} bytes, of {} are {} in use", size, all, used));
  US_TRY(std::shared_ptr<MemoryFile> file, MemoryFile::create("understudy-cuda-memory", size));
  // That memory be compressible is a wish: programs ask cuMemGetAllocationPropertiesFromHandle whether it is.
  CUmemAllocationProp made = *properties;
  made.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_NONE;
  const Ref<Block> block(new Block(made, std::move(file), size));
  used += size;
  *handle = handleOf(*block);
  state().blocks[*handle] = block;
  return {};
}

/// "The memory allocation will be freed when all outstanding mappings to the memory are unmapped and when all
/// outstanding references to the handle are also released."
Expected<void> memRelease(CUmemGenericAllocationHandle handle) {
  US_CHECK(checkInitialised());
  std::lock_guard hold(state().mutex);
  US_TRY(const Ref<Block> block, blockOf(handle));
  if (block->references == 0) return fail(CUDA_ERROR_INVALID_VALUE, "the memory handle was released");
  --block->references;
  dropIfUnused(*block);
  return {};
}

Expected<void> memRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address) {
  US_CHECK(checkOut(handle, "the result"));
  US_CHECK(checkInitialised());
  std::lock_guard hold(state().mutex);
  const auto at = reinterpret_cast<uint64_t>(address);
  auto next = state().mappings.upper_bound(at);
  // "The address addr, can be any address in a range previously mapped."
  if (next == state().mappings.begin() || at - (--next)->first >= next->second.size)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{:#x} is not mapped", at));
  ++next->second.block->references;
  *handle = handleOf(*next->second.block);
  return {};
}

Expected<void> memGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties,
                                                    CUmemGenericAllocationHandle handle) {
  US_CHECK(checkOut(properties, "the result"));
  US_CHECK(checkInitialised());
  std::lock_guard hold(state().mutex);
  US_TRY(const Ref<Block> block, blockOf(handle));
  *properties = block->properties;
  return {};
}

Expected<void> memAddressReserve(CUdeviceptr *pointer, size_t size, size_t alignment, CUdeviceptr wanted,
                                 unsigned long long flags) {
  US_CHECK(checkOut(pointer, "the result"));
  US_CHECK(checkInitialised());
  US_CHECK(checkFlags(flags));
  US_CHECK(checkAligned(size, "the size"));
  if (alignment & (alignment - 1))
    return fail(CUDA_ERROR_INVALID_VALUE, format("an alignment of {} is no power of two", alignment));
  const uint64_t step = std::max<uint64_t>(alignment, kGranularity);
  uint64_t room = 0;
  if (__builtin_add_overflow(size, step, &room) || room >> 46)
    return fail(CUDA_ERROR_OUT_OF_MEMORY, format("{} bytes of addresses", size));
  // "addr - Hint address for the start of the address range": it need not be there.
  void *const hint = wanted && wanted % step == 0 ? reinterpret_cast<void *>(wanted) : nullptr;
  void *const found = mmap(hint, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (found == MAP_FAILED) return failSystem("reserve addresses");
  const auto begin = reinterpret_cast<uint64_t>(found), aligned = alignTo(begin, step);
  if (aligned != begin) munmap(found, aligned - begin);
  if (begin + room != aligned + size) munmap(reinterpret_cast<void *>(aligned + size), begin + room - aligned - size);
  std::lock_guard hold(state().mutex);
  state().reservations[aligned] = size;
  *pointer = aligned;
  return {};
}

/// "The size must match what was passed to memAddressReserve and the ptr given must match what was returned from
/// memAddressReserve."
Expected<void> memAddressFree(CUdeviceptr pointer, size_t size) {
  US_CHECK(checkInitialised());
  std::lock_guard hold(state().mutex);
  const auto found = state().reservations.find(pointer);
  if (found == state().reservations.end() || found->second != size)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{} bytes at {:#x} were not reserved so", size, uint64_t(pointer)));
  const auto mapped = state().mappings.lower_bound(pointer);
  if (mapped != state().mappings.end() && mapped->first < pointer + size)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{:#x} is mapped", mapped->first));
  state().reservations.erase(found);
  munmap(reinterpret_cast<void *>(pointer), size);
  return {};
}

Expected<void> memMap(CUdeviceptr pointer, size_t size, size_t offset, CUmemGenericAllocationHandle handle,
                      unsigned long long flags) {
  US_CHECK(checkInitialised());
  US_CHECK(checkFlags(flags));
  US_CHECK(checkAligned(size, "the size"));
  // "offset must be zero"
  if (offset != 0) return fail(CUDA_ERROR_INVALID_VALUE, format("an offset of {}", offset));
  std::lock_guard hold(state().mutex);
  US_TRY(const Ref<Block> block, blockOf(handle));
  if (size > block->size)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{} bytes of memory that has {}", size, block->size));
  auto within = state().reservations.upper_bound(pointer);
  const bool isReserved = within != state().reservations.begin() &&
                          (--within, pointer - within->first <= within->second) &&
                          size <= within->second - (pointer - within->first) && pointer % kGranularity == 0;
  if (!isReserved)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{} bytes at {:#x} are not reserved", size, uint64_t(pointer)));
  const auto after = state().mappings.lower_bound(pointer);
  const bool overlapsNext = after != state().mappings.end() && after->first < pointer + size;
  const bool overlapsLast =
      after != state().mappings.begin() && std::prev(after)->first + std::prev(after)->second.size > pointer;
  if (overlapsNext || overlapsLast)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{:#x} is mapped already", uint64_t(pointer)));
  // "Note: this call does not make the mapping accessible; cuMemSetAccess must be called."
  if (mmap(reinterpret_cast<void *>(pointer), size, PROT_NONE, MAP_SHARED | MAP_FIXED, block->file->descriptor(), 0) ==
      MAP_FAILED)
    return failSystem("map memory");
  Mapping &made = state().mappings[pointer];
  made.size = size;
  made.block = block;
  return {};
}

/// "The range must be a mapped range ... must be the whole of what was mapped."
/// As all of these functions it needs no context, also on a real device.
Expected<void> memUnmap(CUdeviceptr pointer, size_t size) {
  US_CHECK(currentContextIfAny());
  {
    std::lock_guard hold(state().mutex);
    US_CHECK(mappingsOf(pointer, size));
  }
  synchroniseContexts(); // what is under way may use it
  std::lock_guard hold(state().mutex);
  US_TRY(const auto mapped, mappingsOf(pointer, size));
  std::vector<Ref<Block>> blocks;
  for (const auto *one : mapped) {
    if (one->second.isReachable) (void)removeMemory(one->first);
    blocks.push_back(one->second.block);
  }
  if (mmap(reinterpret_cast<void *>(pointer), size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
           -1, 0) == MAP_FAILED)
    return failSystem("unmap memory");
  state().mappings.erase(state().mappings.find(pointer), state().mappings.lower_bound(pointer + size));
  for (const Ref<Block> &block : blocks) dropIfUnused(*block);
  return {};
}

/// "The range must be a fully mapped address range containing all allocations created by cuMemMap / cuMemCreate." All
/// emulated devices live in one memory: what one of them may do, all can.
Expected<void> memSetAccess(CUdeviceptr pointer, size_t size, const CUmemAccessDesc *descriptions, size_t count) {
  US_CHECK(checkInitialised());
  US_CHECK(checkOut(descriptions, "the description"));
  if (count == 0) return fail(CUDA_ERROR_INVALID_VALUE, "no description is given");
  for (size_t i = 0; i < count; ++i) {
    const CUmemAccessDesc &given = descriptions[i];
    if (given.location.type != CU_MEM_LOCATION_TYPE_DEVICE && given.location.type != CU_MEM_LOCATION_TYPE_HOST)
      return fail(CUDA_ERROR_INVALID_VALUE, format("access from a location of type {}", int(given.location.type)));
    if (given.location.type == CU_MEM_LOCATION_TYPE_DEVICE) US_CHECK(deviceAt(given.location.id));
    if (given.flags != CU_MEM_ACCESS_FLAGS_PROT_NONE && given.flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
        given.flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
      return fail(CUDA_ERROR_INVALID_VALUE, format("there is no access {:#x}", int(given.flags)));
  }
  std::lock_guard hold(state().mutex);
  US_TRY(const auto mapped, mappingsOf(pointer, size));
  for (auto *one : mapped) {
    Mapping &mapping = one->second;
    for (size_t i = 0; i < count; ++i)
      mapping.access[{descriptions[i].location.type, descriptions[i].location.id}] = descriptions[i].flags;
    const int protection = protectionOf(mapping);
    if (mprotect(reinterpret_cast<void *>(one->first), mapping.size, protection) != 0) return failSystem("set access");
    const bool isReachable = protection != PROT_NONE;
    if (isReachable && !mapping.isReachable)
      addMemory(one->first, mapping.size,
                {.kind = MemoryKind::Mapped, .owner = mapping.block, .device = mapping.block->properties.location.id});
    if (!isReachable && mapping.isReachable) (void)removeMemory(one->first);
    mapping.isReachable = isReachable;
  }
  return {};
}

Expected<void> memGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr pointer) {
  US_CHECK(checkOut(flags, "the result"));
  US_CHECK(checkOut(location, "the location"));
  US_CHECK(checkInitialised());
  std::lock_guard hold(state().mutex);
  auto next = state().mappings.upper_bound(pointer);
  if (next == state().mappings.begin() || pointer - (--next)->first >= next->second.size)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{:#x} is not mapped", uint64_t(pointer)));
  const auto found = next->second.access.find({location->type, location->id});
  *flags = found == next->second.access.end() ? CU_MEM_ACCESS_FLAGS_PROT_NONE : found->second;
  return {};
}

Expected<void> memExportToShareableHandle(void *into, CUmemGenericAllocationHandle handle,
                                          CUmemAllocationHandleType type, unsigned long long flags) {
  US_CHECK(checkOut(into, "the result"));
  US_CHECK(checkInitialised());
  US_CHECK(checkFlags(flags));
  std::lock_guard hold(state().mutex);
  US_TRY(const Ref<Block> block, blockOf(handle));
  // "The memory allocation must have been created with the requested handle type."
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || !(block->properties.requestedHandleTypes & type))
    return fail(CUDA_ERROR_INVALID_VALUE, format("the memory was not made for handles of type {:#x}", int(type)));
  US_TRY(const int descriptor, block->file->duplicate());
  std::memcpy(into, &descriptor, sizeof descriptor);
  return {};
}

Expected<void> memImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *given,
                                            CUmemAllocationHandleType type) {
  US_CHECK(checkOut(handle, "the result"));
  US_TRY(const Ref<Context> context, currentContextIfAny());
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
    return fail(CUDA_ERROR_INVALID_VALUE, format("memory has no handles of type {:#x}", int(type)));
  US_TRY(std::shared_ptr<MemoryFile> file, MemoryFile::open(int(reinterpret_cast<intptr_t>(given))));
  const uint64_t size = file->size();
  US_CHECK(checkAligned(size, "the size of the file"));
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.requestedHandleTypes = type;
  // The file does not say which device's it was.
  const CUdevice device = context ? context->number() : 0;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  const Ref<Block> block(new Block(properties, std::move(file), size));
  std::lock_guard hold(state().mutex);
  state().used[device] += size;
  *handle = handleOf(*block);
  state().blocks[*handle] = block;
  return {};
}

} // namespace us::cuda
