// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Advice and prefetches of managed memory. All memory is in one place: advice is kept and told again, a prefetch has
// nothing to move.
#include "icd/cuda/device.h"
#include "icd/cuda/entry_points.h"
#include "icd/cuda/memory.h"

#include <algorithm>

namespace us::cuda {
namespace {

/// What is known of an allocation beyond where it is.
struct Advice {
  bool readMostly = false;
  CUdevice preferred = CU_DEVICE_INVALID, lastPrefetch = CU_DEVICE_INVALID;
  std::set<CUdevice> accessedBy;
};
struct Advices {
  std::mutex mutex;                                        // guards all
  std::map<uint64_t, std::pair<uint64_t, Advice>> byBegin; ///< with the allocation's id: addresses come again
};
Advices &advices() {
  static auto &all = *new Advices;
  return all;
}
template <class Use> void withAdvice(const Allocation &allocation, Use use) {
  std::lock_guard hold(advices().mutex);
  auto &[id, advice] = advices().byBegin[allocation.address()];
  if (id != allocation.id()) advice = {};
  id = allocation.id();
  use(advice);
}

Expected<Ref<Allocation>> managedAt(CUdeviceptr pointer, size_t size) {
  const Ref<Allocation> found = findMemory(pointer);
  if (!found || !found->isManaged() || size == 0 || size > found->address() + found->size() - pointer)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{} bytes at {:#x} are not managed memory", size, pointer));
  return found;
}

Expected<void> checkPlace(CUdevice device) {
  if (device == CU_DEVICE_CPU) return {};
  US_CHECK(deviceAt(device));
  return {};
}

Expected<CUdevice> placeOf(const CUmemLocation &location) {
  switch (location.type) {
  case CU_MEM_LOCATION_TYPE_DEVICE:
    US_CHECK(checkPlace(location.id));
    return location.id;
  case CU_MEM_LOCATION_TYPE_HOST:
  case CU_MEM_LOCATION_TYPE_HOST_NUMA:
  case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
    return CUdevice(CU_DEVICE_CPU);
  default:
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no place of type {}", int(location.type)));
  }
}

} // namespace

Expected<void> memAdvise(CUdeviceptr pointer, size_t size, CUmem_advise advice, CUdevice device) {
  US_CHECK(currentContext());
  US_TRY(const Ref<Allocation> allocation, managedAt(pointer, size));
  const bool namesPlace = advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION || advice == CU_MEM_ADVISE_SET_ACCESSED_BY ||
                          advice == CU_MEM_ADVISE_UNSET_ACCESSED_BY;
  if (namesPlace) US_CHECK(checkPlace(device));
  if (advice < CU_MEM_ADVISE_SET_READ_MOSTLY || advice > CU_MEM_ADVISE_UNSET_ACCESSED_BY)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no advice {}", int(advice)));
  withAdvice(*allocation, [&](Advice &kept) {
    if (advice <= CU_MEM_ADVISE_UNSET_READ_MOSTLY) kept.readMostly = advice == CU_MEM_ADVISE_SET_READ_MOSTLY;
    if (advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION) kept.preferred = device;
    if (advice == CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION) kept.preferred = CU_DEVICE_INVALID;
    if (advice == CU_MEM_ADVISE_SET_ACCESSED_BY) kept.accessedBy.insert(device);
    if (advice == CU_MEM_ADVISE_UNSET_ACCESSED_BY) kept.accessedBy.erase(device);
  });
  return {};
}

Expected<void> memAdviseAt(CUdeviceptr pointer, size_t size, CUmem_advise advice, CUmemLocation location) {
  // "The location is not looked at where the advice names none."
  const bool namesPlace =
      advice >= CU_MEM_ADVISE_SET_PREFERRED_LOCATION && advice != CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION;
  if (!namesPlace) return memAdvise(pointer, size, advice, CU_DEVICE_CPU);
  US_TRY(const CUdevice device, placeOf(location));
  return memAdvise(pointer, size, advice, device);
}

Expected<void> memPrefetchAsync(CUdeviceptr pointer, size_t size, CUdevice device, CUstream stream) {
  US_CHECK(streamOf(stream));
  US_TRY(const Ref<Allocation> allocation, managedAt(pointer, size));
  US_CHECK(checkPlace(device));
  withAdvice(*allocation, [&](Advice &kept) { kept.lastPrefetch = device; });
  return {};
}

Expected<void> memPrefetchTo(CUdeviceptr pointer, size_t size, CUmemLocation location, unsigned flags,
                             CUstream stream) {
  if (flags != 0) return fail(CUDA_ERROR_INVALID_VALUE, "cuMemPrefetchAsync takes the flags 0");
  US_TRY(const CUdevice device, placeOf(location));
  return memPrefetchAsync(pointer, size, device, stream);
}

Expected<void> memRangeGetAttribute(void *data, size_t dataSize, CUmem_range_attribute attribute, CUdeviceptr pointer,
                                    size_t size) {
  US_CHECK(checkOut(data, "the result"));
  US_CHECK(currentContext());
  US_TRY(const Ref<Allocation> allocation, managedAt(pointer, size));
  if (dataSize < sizeof(int) || dataSize % sizeof(int) != 0 ||
      (attribute != CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY && dataSize != sizeof(int)))
    return fail(CUDA_ERROR_INVALID_VALUE, format("room of {} bytes for an attribute", dataSize));
  Advice advice;
  withAdvice(*allocation, [&](const Advice &kept) { advice = kept; });
  int *into = static_cast<int *>(data);
  switch (attribute) {
  case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
    *into = advice.readMostly;
    return {};
  case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
    *into = advice.preferred;
    return {};
  case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
    *into = advice.lastPrefetch;
    return {};
  case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY: {
    std::fill_n(into, dataSize / sizeof(int), CU_DEVICE_INVALID);
    const size_t count = std::min(advice.accessedBy.size(), dataSize / sizeof(int));
    std::copy_n(advice.accessedBy.begin(), count, into);
    return {};
  }
  default:
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no attribute {} of ranges", int(attribute)));
  }
}

Expected<void> memRangeGetAttributes(void **data, size_t *dataSizes, CUmem_range_attribute *attributes, size_t count,
                                     CUdeviceptr pointer, size_t size) {
  US_CHECK(checkOut(data, "the results"));
  US_CHECK(checkOut(dataSizes, "the sizes"));
  US_CHECK(checkOut(attributes, "the attributes"));
  if (count == 0) return fail(CUDA_ERROR_INVALID_VALUE, "no attribute is asked for");
  for (size_t i = 0; i < count; ++i)
    US_CHECK(memRangeGetAttribute(data[i], dataSizes[i], attributes[i], pointer, size));
  return {};
}

} // namespace us::cuda
