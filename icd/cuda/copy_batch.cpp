// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches of copies: "the batch as a whole executes in stream order". Their copies are a stream's others, one by one.
#include "icd/cuda/array.h"
#include "icd/cuda/entry_points.h"

namespace us::cuda {
namespace {

Expected<void> checkOrder(CUmemcpySrcAccessOrder order, unsigned flags) {
  // "Each memcpy operation in the batch must have a valid ... srcAccessOrder setting, otherwise the API will return
  // CUDA_ERROR_INVALID_VALUE."
  if (order < CU_MEMCPY_SRC_ACCESS_ORDER_STREAM || order > CU_MEMCPY_SRC_ACCESS_ORDER_ANY ||
      flags > CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE)
    return fail(CUDA_ERROR_INVALID_VALUE, format("access order {}, flags {:#x}", int(order), flags));
  return {};
}

/// "hStream: Must not be legacy NULL stream."
Expected<void> checkStream(CUstream handle) {
  US_TRY(const Ref<Stream> stream, streamOf(handle));
  if (stream.get() != &stream->context().legacyStream()) return {};
  return fail(CUDA_ERROR_INVALID_VALUE, "a batch on the legacy stream");
}

/// `failed`: which copy is wrong; SIZE_MAX: all of the call, or nothing.
Expected<void> copyBatch(CUdeviceptr *to, CUdeviceptr *from, size_t *sizes, size_t count,
                         CUmemcpyAttributes *attributes, size_t *first, size_t attributeCount, CUstream stream,
                         size_t &failed) {
  failed = SIZE_MAX;
  US_CHECK(checkOut(to, "the list of destinations"));
  US_CHECK(checkOut(from, "the list of sources"));
  US_CHECK(checkOut(sizes, "the list of sizes"));
  US_CHECK(checkOut(attributes, "the list of attributes"));
  US_CHECK(checkOut(first, "the list of which attributes are whose"));
  US_CHECK(checkStream(stream));
  // "numAttrs must be lesser than or equal to count"; "the first entry in attrsIdxs must always be 0. Also, each entry
  // must be greater than the previous entry and the last entry should be less than count."
  if (count == 0 || attributeCount == 0 || attributeCount > count || first[0] != 0)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{} copies with {} attributes", count, attributeCount));
  for (size_t i = 0; i < attributeCount; ++i) {
    if (first[i] >= count || (i > 0 && first[i] <= first[i - 1]))
      return fail(CUDA_ERROR_INVALID_VALUE, format("attributes {} are for copies from {} on", i, first[i]));
    US_CHECK(checkOrder(attributes[i].srcAccessOrder, attributes[i].flags));
  }
  for (size_t i = 0; i < count; ++i) {
    failed = i;
    if (sizes[i] == 0) return fail(CUDA_ERROR_INVALID_VALUE, format("copy {} has no bytes", i));
    US_CHECK(memcpyAsync(to[i], from[i], sizes[i], stream));
  }
  failed = SIZE_MAX;
  return {};
}

/// One end: `element` is the size of an array's elements, or what an earlier one has said.
Expected<void> elementOf(const CUmemcpy3DOperand &operand, uint64_t &element) {
  if (operand.type == CU_MEMCPY_OPERAND_TYPE_POINTER) return {};
  if (operand.type != CU_MEMCPY_OPERAND_TYPE_ARRAY)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there are no operands of type {}", int(operand.type)));
  US_TRY(const Ref<Array> array, arrayOf(operand.op.array.array));
  // "For CUDA array to CUDA array copies, the element size of the two CUDA arrays must match."
  if (element != 0 && element != array->elementSize())
    return fail(CUDA_ERROR_INVALID_VALUE,
                format("elements of {} bytes and of {} bytes", element, array->elementSize()));
  element = array->elementSize();
  return {};
}

Expected<void> copyBox(const CUDA_MEMCPY3D_BATCH_OP &given, CUstream stream) {
  US_CHECK(checkOrder(given.srcAccessOrder, given.flags));
  // "The width, height and depth of a copy are specified in elements and must not be zero."
  if (given.extent.width == 0 || given.extent.height == 0 || given.extent.depth == 0)
    return fail(CUDA_ERROR_INVALID_VALUE, "a copy of nothing");
  uint64_t element = 0;
  US_CHECK(elementOf(given.src, element));
  US_CHECK(elementOf(given.dst, element));
  if (element == 0) element = 1; // "For pointer-to-pointer copies, the element size is considered to be 1."
  CUDA_MEMCPY3D copy = {};
  if (given.src.type == CU_MEMCPY_OPERAND_TYPE_POINTER) {
    const auto &end = given.src.op.ptr;
    copy.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
    copy.srcDevice = end.ptr;
    copy.srcPitch = end.rowLength * element;
    copy.srcHeight = end.layerHeight;
  } else {
    const auto &end = given.src.op.array;
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = end.array;
    copy.srcXInBytes = end.offset.x * element, copy.srcY = end.offset.y, copy.srcZ = end.offset.z;
  }
  if (given.dst.type == CU_MEMCPY_OPERAND_TYPE_POINTER) {
    const auto &end = given.dst.op.ptr;
    copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    copy.dstDevice = end.ptr;
    copy.dstPitch = end.rowLength * element;
    copy.dstHeight = end.layerHeight;
  } else {
    const auto &end = given.dst.op.array;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = end.array;
    copy.dstXInBytes = end.offset.x * element, copy.dstY = end.offset.y, copy.dstZ = end.offset.z;
  }
  copy.WidthInBytes = given.extent.width * element;
  copy.Height = given.extent.height;
  copy.Depth = given.extent.depth;
  return memcpy3DAsync(&copy, stream);
}

Expected<void> copyBoxes(size_t count, CUDA_MEMCPY3D_BATCH_OP *copies, unsigned long long flags, CUstream stream,
                         size_t &failed) {
  failed = SIZE_MAX;
  US_CHECK(checkOut(copies, "the list of copies"));
  US_CHECK(checkStream(stream));
  // "flags: Flags for future use, must be zero now."
  if (count == 0 || flags != 0) return fail(CUDA_ERROR_INVALID_VALUE, format("{} copies, flags {:#x}", count, flags));
  for (size_t i = 0; i < count; ++i) {
    failed = i;
    US_CHECK(copyBox(copies[i], stream));
  }
  failed = SIZE_MAX;
  return {};
}

} // namespace

Expected<void> memcpyBatchAsync(CUdeviceptr *to, CUdeviceptr *from, size_t *sizes, size_t count,
                                CUmemcpyAttributes *attributes, size_t *first, size_t attributeCount, CUstream stream) {
  size_t failed = 0;
  return copyBatch(to, from, sizes, count, attributes, first, attributeCount, stream, failed);
}
/// The first form told which copy was wrong: "If the error is not specific to any copy, failIdx will be SIZE_MAX."
Expected<void> memcpyBatchAsyncOld(CUdeviceptr *to, CUdeviceptr *from, size_t *sizes, size_t count,
                                   CUmemcpyAttributes *attributes, size_t *first, size_t attributeCount, size_t *failed,
                                   CUstream stream) {
  size_t which = 0;
  const Expected<void> done = copyBatch(to, from, sizes, count, attributes, first, attributeCount, stream, which);
  if (failed) *failed = which;
  return done;
}

Expected<void> memcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP *copies, unsigned long long flags,
                                  CUstream stream) {
  size_t failed = 0;
  return copyBoxes(count, copies, flags, stream, failed);
}
Expected<void> memcpy3DBatchAsyncOld(size_t count, CUDA_MEMCPY3D_BATCH_OP *copies, size_t *failed,
                                     unsigned long long flags, CUstream stream) {
  size_t which = 0;
  const Expected<void> done = copyBoxes(count, copies, flags, stream, which);
  if (failed) *failed = which;
  return done;
}

} // namespace us::cuda
