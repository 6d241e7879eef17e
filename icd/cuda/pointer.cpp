// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of a pointer: a row per attribute.
#include "icd/cuda/entry_points.h"
#include "icd/cuda/memory_pool.h"

#include <cstring>

namespace us::cuda {
namespace {

bool isHost(const Allocation &a) { return a.kind == MemoryKind::Host || a.kind == MemoryKind::Registered; }

struct PointerAttributeRow {
  CUpointer_attribute attribute;
  size_t bytes; ///< of the result
  uint64_t (*value)(const Allocation &, uint64_t pointer);
};
using A = const Allocation &;
constexpr PointerAttributeRow kPointerAttributes[] = {
    // "stream-ordered allocations are not associated with a context": null, with success.
    {CU_POINTER_ATTRIBUTE_CONTEXT, 8, [](A a, uint64_t) { return a.context ? uint64_t(handleOf(*a.context)) : 0; }},
    {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 4,
     [](A a, uint64_t) { return uint64_t(isHost(a) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE); }},
    {CU_POINTER_ATTRIBUTE_DEVICE_POINTER, 8, [](A, uint64_t pointer) { return pointer; }},
    {CU_POINTER_ATTRIBUTE_HOST_POINTER, 8, [](A, uint64_t pointer) { return pointer; }},
    {CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, 4, [](A a, uint64_t) { return uint64_t(a.wantsSynchronousCopies); }},
    {CU_POINTER_ATTRIBUTE_BUFFER_ID, 8, [](A a, uint64_t) { return a.address(); }},
    {CU_POINTER_ATTRIBUTE_IS_MANAGED, 4, [](A a, uint64_t) { return uint64_t(a.isManaged()); }},
    {CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, 4,
     [](A a, uint64_t) {
       return uint64_t(a.pool ? a.pool->ordinal() : a.context ? a.context->number() : a.device);
     }},
    {CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, 4,
     [](A a, uint64_t) { return uint64_t(a.kind == MemoryKind::Device && !a.pool); }},
    {CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, 8, [](A a, uint64_t) { return a.address(); }},
    {CU_POINTER_ATTRIBUTE_RANGE_SIZE, 8, [](A a, uint64_t) { return a.size(); }},
    {CU_POINTER_ATTRIBUTE_MAPPED, 4, [](A, uint64_t) { return uint64_t(1); }},
    // No memory here is made of parts that are mapped one by one, or is told to another device.
    {CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, 8,
     [](A a, uint64_t) { return uint64_t(a.pool && !a.pool->isImported() ? a.pool->properties().handleTypes : 0); }},
    {CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE, 4, [](A, uint64_t) { return uint64_t(0); }},
    {CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, 4,
     [](A, uint64_t) { return uint64_t(CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE); }},
    {CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, 8, [](A a, uint64_t) { return a.pool ? uint64_t(handleOf(*a.pool)) : 0; }},
    {CU_POINTER_ATTRIBUTE_MAPPING_SIZE, 8, [](A a, uint64_t) { return a.size(); }},
    {CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR, 8, [](A a, uint64_t) { return a.address(); }},
    {CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID, 8, [](A a, uint64_t) { return a.address(); }},
    {CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE, 4, [](A, uint64_t) { return uint64_t(0); }},
};

const PointerAttributeRow *rowOf(CUpointer_attribute attribute) {
  for (const PointerAttributeRow &row : kPointerAttributes)
    if (row.attribute == attribute) return &row;
  return nullptr;
}

void write(void *into, const PointerAttributeRow &row, uint64_t value) { std::memcpy(into, &value, row.bytes); }

} // namespace

Expected<void> pointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr pointer) {
  US_CHECK(checkOut(value, "the result"));
  US_CHECK(checkInitialised());
  const PointerAttributeRow *const row = rowOf(attribute);
  if (!row) return fail(CUDA_ERROR_INVALID_VALUE, format("there is no pointer attribute {}", int(attribute)));
  const Ref<Allocation> found = findMemory(pointer);
  if (!found) return fail(CUDA_ERROR_INVALID_VALUE, format("{:#x} lies in no allocation", pointer));
  // "if the pointer was not allocated by, mapped by, or registered": the host cannot reach memory of the device alone.
  if (attribute == CU_POINTER_ATTRIBUTE_HOST_POINTER && !isHost(*found) && !found->isManaged())
    return fail(CUDA_ERROR_INVALID_VALUE, "device memory has no address of the host");
  write(value, *row, row->value(*found, pointer));
  return {};
}

Expected<void> pointerGetAttributes(unsigned count, CUpointer_attribute *attributes, void **values,
                                    CUdeviceptr pointer) {
  US_CHECK(checkOut(attributes, "the attributes"));
  US_CHECK(checkOut(values, "the results"));
  US_CHECK(checkInitialised());
  for (unsigned i = 0; i < count; ++i) {
    US_CHECK(checkOut(values[i], "a result"));
    if (pointerGetAttribute(values[i], attributes[i], pointer)) continue;
    const PointerAttributeRow *const row = rowOf(attributes[i]);
    if (!row) return fail(CUDA_ERROR_INVALID_VALUE, format("there is no pointer attribute {}", int(attributes[i])));
    // "If a requested attribute is not applicable ... a null value of the appropriate type is returned."
    write(values[i], *row, 0);
  }
  return {};
}

Expected<void> pointerSetAttribute(const void *value, CUpointer_attribute attribute, CUdeviceptr pointer) {
  US_CHECK(checkOut(value, "the value"));
  US_CHECK(checkInitialised());
  const Ref<Allocation> found = findMemory(pointer);
  if (attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS || !found)
    return fail(CUDA_ERROR_INVALID_VALUE, format("attribute {} of {:#x} cannot be set", int(attribute), pointer));
  found->wantsSynchronousCopies = *static_cast<const unsigned *>(value) != 0;
  return {};
}

} // namespace us::cuda
