// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/memory.h"

#include "icd/cuda/api_checks.h"
#include "icd/cuda/capture.h"
#include "icd/cuda/device.h"
#include "icd/cuda/entry_points.h"
#include "icd/cuda/graph_memory.h"
#include "icd/cuda/managed_access.h"
#include "icd/cuda/memory_pool.h"
#include "icd/cuda/virtual_memory.h"
#include "runtime/base/align.h"

#include <algorithm>
#include <climits>

namespace us::cuda {
namespace {

/// cuMemAllocPitch's rows begin at multiples of this: what textures and wide accesses want.
constexpr size_t kPitchAlignment = 512;

/// Gives an allocation back once nothing can use it any more.
Expected<void> release(uint64_t begin, std::initializer_list<MemoryKind> kinds, const char *what) {
  US_CHECK(checkSafeToCall());
  Ref<Allocation> found = findMemory(begin);
  bool fits = found && found->address() == begin && !found->pool;
  if (fits) fits = std::find(kinds.begin(), kinds.end(), found->kind) != kinds.end();
  ApiChecks *const checks = apiChecks();
  if (!fits && checks) checks->failedFree(begin);
  if (!fits) return fail(CUDA_ERROR_INVALID_VALUE, format("{:#x} is not the beginning of {}", begin, what));
  if (checks) checks->freed(*found);
  (void)found->context->synchronise();
  removeMemory(begin);
  unguardManaged(begin);
  return {};
}

/// For messages about kernels.
const char *nounOf(MemoryKind kind) {
  switch (kind) {
  case MemoryKind::Managed:
    return "managed allocation";
  case MemoryKind::Host:
    return "allocation of the host's";
  case MemoryKind::Array:
    return "array";
  default:
    return "allocation";
  }
}

} // namespace

Expected<uint64_t> allocateMemory(Context &context, size_t size, MemoryKind kind, unsigned flags) {
  // "If bytesize is 0, cuMemAlloc() returns CUDA_ERROR_INVALID_VALUE."
  if (size == 0) return fail(CUDA_ERROR_INVALID_VALUE, "an allocation of 0 bytes");
  US_CHECK(checkSafeToCall());
  // What is guarded is guarded in pages, and shares none.
  const bool guarded = kind == MemoryKind::Managed && lacksConcurrentAccess(context.device());
  const uint64_t alignment = guarded ? 4096 : 512, room = guarded ? alignTo(size, alignment) : size;
  ApiChecks *const checks = apiChecks();
  const CallSite *const site = checks ? ApiChecks::site() : nullptr;
  const MemoryRequest request{.size = room,
                              .alignment = alignment,
                              .isPointedTo = true,
                              .isRestrictable = guarded,
                              .startsUnwritten = kind == MemoryKind::Device,
                              .owner = {.what = nounOf(kind), .madeAt = site}};
  Expected<std::unique_ptr<DeviceMemory>> made = core::allocateOn(context.device(), request);
  if (!made && made.error().code == ErrorCode::MemObjectAllocationFailure && poolsAreUsed()) {
    releasePools();
    made = core::allocateOn(context.device(), request);
  }
  if (!made && made.error().code == ErrorCode::InvalidValue)
    return fail(ErrorCode::MemObjectAllocationFailure, made.error().message);
  if (!made) return std::unexpected(std::move(made).error());
  const bool isForHost = kind == MemoryKind::Host || kind == MemoryKind::Managed;
  if (isForHost && !(*made)->hostAddress())
    return fail(CUDA_ERROR_NOT_SUPPORTED, "the host cannot reach the device's memory");
  DeviceMemory &memory = **made;
  if (checks) checks->allocated(memory.address(), size);
  core::AllocationMap::instance().add(makeRef<Allocation>(
      memory.address(), size, Allocation::Facts{.kind = kind, .flags = flags, .context = &context, .madeAt = site},
      std::move(*made)));
  if (guarded) guardManaged(context, memory, flags);
  return memory.address();
}

Ref<Allocation> findMemory(uint64_t address) {
  const Ref<core::Allocation> found = core::AllocationMap::instance().find(address);
  return Ref<Allocation>(dynamic_cast<Allocation *>(found.get()));
}

void addMemory(uint64_t address, uint64_t size, Allocation::Facts facts) {
  core::AllocationMap::instance().add(makeRef<Allocation>(address, size, std::move(facts)));
}

Ref<Allocation> removeMemory(uint64_t begin) { return core::AllocationMap::instance().remove<Allocation>(begin); }

void forgetMemoryOf(const Context &context) {
  const std::vector<Ref<Allocation>> gone = core::AllocationMap::instance().removeAll<Allocation>(
      [&](const Allocation &one) { return one.context == &context; });
  for (const Ref<Allocation> &allocation : gone) unguardManaged(allocation->address());
}

Expected<void> checkDeviceRange(uint64_t address, uint64_t size, const char *what) {
  const Ref<Allocation> found = findMemory(address);
  if (ApiChecks *const checks = apiChecks(); checks && !found) checks->failedUse(address);
  if (!found) return fail(CUDA_ERROR_INVALID_VALUE, format("the {} {:#x} is no address of a device", what, address));
  // What is mapped in several pieces, one behind the other, is one range.
  uint64_t end = found->address() + found->size();
  for (Ref<Allocation> next = found; next && next->kind == MemoryKind::Mapped && size > end - address;) {
    next = findMemory(end);
    if (next && next->kind == MemoryKind::Mapped) end = next->address() + next->size();
  }
  if (size > end - address)
    return fail(CUDA_ERROR_INVALID_VALUE,
                format("{} bytes at the {} {:#x} reach past its {} bytes", size, what, address, found->size()));
  return {};
}

// --- Device memory ---

Expected<void> memGetInfo(size_t *free, size_t *total) {
  US_TRY(const Ref<Context> context, currentContext());
  const uint64_t all = context->device().info().globalMemory;
  uint64_t used = 0;
  core::AllocationMap::instance().forEach([&](const core::Allocation &one) {
    const auto *allocation = dynamic_cast<const Allocation *>(&one);
    if (allocation && (allocation->kind <= MemoryKind::Managed || allocation->kind == MemoryKind::Array) &&
        !allocation->pool && &allocation->context->device() == &context->device())
      used += allocation->size();
  });
  used += reservedByPools(context->device()) + virtualMemoryOf(context->number());
  if (free) *free = all - std::min(used, all);
  if (total) *total = all;
  return {};
}

/// Sizes of 32 bits, as the first driver had them.
Expected<void> memGetInfoOld(unsigned *free, unsigned *total) {
  size_t wideFree = 0, wideTotal = 0;
  US_CHECK(memGetInfo(&wideFree, &wideTotal));
  if (free) *free = unsigned(std::min<size_t>(wideFree, UINT_MAX));
  if (total) *total = unsigned(std::min<size_t>(wideTotal, UINT_MAX));
  return {};
}

Expected<void> memAlloc(CUdeviceptr *pointer, size_t size) {
  US_CHECK(checkOut(pointer, "the result"));
  US_TRY(const Ref<Context> context, currentContext());
  US_TRY(*pointer, allocateMemory(*context, size, MemoryKind::Device, 0));
  return {};
}

Expected<void> memAllocPitch(CUdeviceptr *pointer, size_t *pitch, size_t width, size_t height, unsigned elementSize) {
  US_CHECK(checkOut(pointer, "the result"));
  US_CHECK(checkOut(pitch, "the pitch"));
  US_TRY(const Ref<Context> context, currentContext());
  // "ElementSizeBytes may be 4, 8, or 16"
  if (elementSize != 4 && elementSize != 8 && elementSize != 16)
    return fail(CUDA_ERROR_INVALID_VALUE, format("elements of {} bytes", elementSize));
  const size_t row = alignTo(width, kPitchAlignment);
  size_t size = 0;
  if (row < width || __builtin_mul_overflow(row, height, &size))
    return fail(CUDA_ERROR_OUT_OF_MEMORY, format("{} rows of {} bytes", height, width));
  US_TRY(*pointer, allocateMemory(*context, size, MemoryKind::Device, 0));
  *pitch = row;
  return {};
}

Expected<void> memAllocManaged(CUdeviceptr *pointer, size_t size, unsigned flags) {
  US_CHECK(checkOut(pointer, "the result"));
  US_TRY(const Ref<Context> context, currentContext());
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST)
    return fail(CUDA_ERROR_INVALID_VALUE, format("flags {:#x} are not defined", flags));
  US_TRY(*pointer, allocateMemory(*context, size, MemoryKind::Managed, flags));
  return {};
}

Expected<void> memFree(CUdeviceptr pointer) {
  US_CHECK(currentContext());
  if (pointer == 0) return {};
  // "Allocations which are not freed in the same graph can be freed by passing the allocation to cuMemFree."
  if (const Ref<GraphMemory> memory = graphMemoryAt(pointer)) {
    return memory->free();
  }
  // "This API will not perform any implicit synchronization when the pointer was allocated with cuMemAllocAsync."
  if (const Ref<Allocation> found = findMemory(pointer); found && found->pool && found->address() == pointer)
    if (const Ref<Allocation> mine = removeMemory(pointer)) return freePooled(*mine, nullptr);
  return release(pointer, {MemoryKind::Device, MemoryKind::Managed}, "a device allocation");
}

Expected<void> memGetAddressRange(CUdeviceptr *base, size_t *size, CUdeviceptr pointer) {
  US_CHECK(currentContext());
  const Ref<Allocation> found = findMemory(pointer);
  if (!found || found->kind == MemoryKind::Registered)
    return fail(CUDA_ERROR_NOT_FOUND, format("{:#x} lies in no allocation", pointer));
  if (base) *base = found->address();
  if (size) *size = found->size();
  return {};
}

// --- Host memory ---

Expected<void> memHostAlloc(void **pointer, size_t size, unsigned flags) {
  US_CHECK(checkOut(pointer, "the result"));
  US_TRY(const Ref<Context> context, currentContext());
  if (flags > 7) return fail(CUDA_ERROR_INVALID_VALUE, format("flags {:#x} are not defined", flags));
  if (size == 0) { // as an H200 does
    *pointer = nullptr;
    return {};
  }
  US_TRY(const uint64_t begin, allocateMemory(*context, size, MemoryKind::Host, flags));
  *pointer = reinterpret_cast<void *>(begin);
  return {};
}

Expected<void> memAllocHost(void **pointer, size_t size) { return memHostAlloc(pointer, size, 0); }

Expected<void> memAllocHostOld(void **pointer, unsigned size) { return memHostAlloc(pointer, size, 0); }

Expected<void> memFreeHost(void *pointer) {
  US_CHECK(currentContext());
  if (!pointer) return {};
  return release(reinterpret_cast<uint64_t>(pointer), {MemoryKind::Host}, "an allocation of host memory");
}

Expected<void> memHostRegister(void *pointer, size_t size, unsigned flags) {
  US_TRY(const Ref<Context> context, currentContext());
  US_CHECK(checkSafeToCall());
  const auto begin = reinterpret_cast<uint64_t>(pointer);
  if (!pointer || size == 0 || flags > 15 || begin + size < begin)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{} bytes at {}, flags {:#x}", size, pointer, flags));
  for (const uint64_t address : {begin, begin + size - 1})
    if (const Ref<Allocation> found = findMemory(address); found && found->kind != MemoryKind::Registered)
      return fail(CUDA_ERROR_INVALID_VALUE, format("{} is memory of the driver's already", pointer));
  if (findMemory(begin) || findMemory(begin + size - 1))
    return fail(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, format("{} is registered already", pointer));
  addMemory(begin, size, {.kind = MemoryKind::Registered, .flags = flags, .context = context.get()});
  return {};
}

Expected<void> memHostUnregister(void *pointer) {
  US_CHECK(currentContext());
  US_CHECK(checkOut(pointer, "the memory"));
  const auto begin = reinterpret_cast<uint64_t>(pointer);
  const Ref<Allocation> found = findMemory(begin);
  if (found && found->kind != MemoryKind::Registered)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{} was allocated by the driver", pointer));
  if (!found || found->address() != begin)
    return fail(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, format("{} is not registered", pointer));
  (void)found->context->synchronise();
  removeMemory(begin);
  return {};
}

Expected<void> memHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned flags) {
  US_CHECK(checkOut(device, "the result"));
  US_CHECK(currentContext());
  if (flags != 0) return fail(CUDA_ERROR_INVALID_VALUE, "cuMemHostGetDevicePointer takes the flags 0");
  const Ref<Allocation> found = findMemory(reinterpret_cast<uint64_t>(host));
  if (!found || (found->kind != MemoryKind::Host && found->kind != MemoryKind::Registered))
    return fail(CUDA_ERROR_INVALID_VALUE, format("{} is no page-locked memory", host));
  *device = reinterpret_cast<uint64_t>(host);
  return {};
}

Expected<void> memHostGetFlags(unsigned *flags, void *pointer) {
  US_CHECK(checkOut(flags, "the result"));
  US_CHECK(currentContext());
  const Ref<Allocation> found = findMemory(reinterpret_cast<uint64_t>(pointer));
  if (!found || found->kind != MemoryKind::Host)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{} was not allocated by cuMemHostAlloc", pointer));
  // "With unified addressing every such allocation is mapped."
  *flags = found->flags | CU_MEMHOSTALLOC_DEVICEMAP;
  return {};
}

} // namespace us::cuda
