// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptions of tensors, for kernels that copy boxes of them. The object's content is ours
// (runtime/device/tensor_map.def).
#include "icd/cuda/api.h"
#include "icd/cuda/entry_points.h"

#include <array>

namespace us::cuda {
namespace {

constexpr uint64_t kMark16 = 0x7553, kMostElements = uint64_t(1) << 32, kStrideLimit = uint64_t(1) << 40;
constexpr unsigned kMostDimensions = 5;

struct Field {
  unsigned word, shift, bits;
};
#define US_TENSOR_FIELD(name, word, shift, bits) constexpr Field k##name{word, shift, bits};
#include "runtime/device/tensor_map.def"
#undef US_TENSOR_FIELD

class TensorWords {
public:
  void put(Field field, uint64_t value, unsigned wordsOn = 0, unsigned bitsOn = 0) {
    words_[field.word + wordsOn] |= value << (field.shift + bitsOn);
  }
  void store(CUtensorMap &into) const { std::copy(words_.begin(), words_.end(), into.opaque); }

private:
  std::array<uint64_t, 16> words_{};
};

/// By CUtensorMapDataType: bytes, and whether they are floating-point numbers.
struct TensorType {
  unsigned bytes;
  bool isFloat;
};
constexpr TensorType kTensorTypes[] = {{1, false}, {2, false}, {4, false}, {4, false}, {8, false},
                                       {8, false}, {2, true},  {4, true},  {8, true},  {2, true},
                                       {4, true},  {4, true},  {4, true}};

Expected<TensorType> typeOf(CUtensorMapDataType type) {
  if (type >= CU_TENSOR_MAP_DATA_TYPE_UINT8 && type <= CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ) return kTensorTypes[type];
  if (type <= CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B && type > 0)
    return fail(CUDA_ERROR_NOT_SUPPORTED,
                format("tensors of packed numbers (data type {}) are not supported", int(type)));
  return fail(CUDA_ERROR_INVALID_VALUE, format("there is no data type {} of tensors", int(type)));
}

/// "tensorMap address must be aligned to 64 bytes."
Expected<void> checkMap(const CUtensorMap *map) {
  US_CHECK(checkOut(map, "the tensor map"));
  if (reinterpret_cast<uintptr_t>(map) % 64 != 0)
    return fail(CUDA_ERROR_INVALID_VALUE, format("a tensor map at {}, which is no multiple of 64", map));
  return {};
}

/// "globalAddress ... must be aligned to 16 bytes."
Expected<void> checkAddress(const void *address) {
  US_CHECK(checkOut(address, "the tensor's address"));
  if (reinterpret_cast<uintptr_t>(address) % 16 != 0)
    return fail(CUDA_ERROR_INVALID_VALUE, format("a tensor at {}, which is no multiple of 16", address));
  return {};
}

/// "Bytes of the inner dimension must not be more than the swizzle size."
Expected<unsigned> swizzleOf(CUtensorMapSwizzle swizzle, uint64_t innerBytes) {
  if (swizzle > CU_TENSOR_MAP_SWIZZLE_128B && swizzle <= CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B)
    return fail(CUDA_ERROR_NOT_SUPPORTED,
                format("swizzle {}, of pieces of more than 16 bytes, is not supported", int(swizzle)));
  if (swizzle < CU_TENSOR_MAP_SWIZZLE_NONE || swizzle > CU_TENSOR_MAP_SWIZZLE_128B)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no swizzle {}", int(swizzle)));
  if (swizzle != CU_TENSOR_MAP_SWIZZLE_NONE && innerBytes > uint64_t(16) << swizzle)
    return fail(CUDA_ERROR_INVALID_VALUE,
                format("rows of {} bytes in a box that is swizzled by {}", innerBytes, 16 << swizzle));
  return unsigned(swizzle);
}

} // namespace

Expected<void> tensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                    const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
                                    const cuuint32_t *elementStrides, CUtensorMapInterleave interleave,
                                    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                    CUtensorMapFloatOOBfill fill) {
  US_CHECK(checkMap(map));
  US_TRY(const TensorType element, typeOf(type));
  if (rank == 0 || rank > kMostDimensions)
    return fail(CUDA_ERROR_INVALID_VALUE, format("a tensor of {} dimensions", rank));
  US_CHECK(checkAddress(address));
  US_CHECK(checkOut(sizes, "the tensor's sizes"));
  if (rank > 1) US_CHECK(checkOut(strides, "the tensor's strides"));
  US_CHECK(checkOut(box, "the box"));
  US_CHECK(checkOut(elementStrides, "the strides of elements"));
  TensorWords words;
  for (unsigned i = 0; i < rank; ++i) {
    if (sizes[i] == 0 || sizes[i] > kMostElements)
      return fail(CUDA_ERROR_INVALID_VALUE, format("{} elements in dimension {} of a tensor", sizes[i], i));
    if (box[i] == 0 || box[i] > 256)
      return fail(CUDA_ERROR_INVALID_VALUE, format("{} elements in dimension {} of a box", box[i], i));
    if (elementStrides[i] == 0 || elementStrides[i] > 8)
      return fail(CUDA_ERROR_INVALID_VALUE, format("every {}th element in dimension {}", elementStrides[i], i));
    // "must be a multiple of 16 and less than 2^40"
    if (i > 0 && (strides[i - 1] % 16 != 0 || strides[i - 1] >= kStrideLimit))
      return fail(CUDA_ERROR_INVALID_VALUE, format("a stride of {} bytes in dimension {}", strides[i - 1], i));
    words.put(kSize, sizes[i], i);
    words.put(kBox, box[i] - 1, 0, kBox.bits * i);
    words.put(kStep, elementStrides[i] - 1, 0, kStep.bits * i);
    if (i > 0) words.put(kStride, strides[i - 1], i - 1);
  }
  if (interleave < CU_TENSOR_MAP_INTERLEAVE_NONE || interleave > CU_TENSOR_MAP_INTERLEAVE_32B)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no interleave {}", int(interleave)));
  // "When interleave is not CU_TENSOR_MAP_INTERLEAVE_NONE, the tensor rank must be at least 3."
  if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE && rank < 3)
    return fail(CUDA_ERROR_INVALID_VALUE, format("an interleaved tensor of {} dimensions", rank));
  if (interleave == CU_TENSOR_MAP_INTERLEAVE_32B && swizzle != CU_TENSOR_MAP_SWIZZLE_32B)
    return fail(CUDA_ERROR_INVALID_VALUE,
                format("swizzle {} of a tensor that is interleaved by 32 bytes", int(swizzle)));
  if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE)
    return fail(CUDA_ERROR_NOT_SUPPORTED, "interleaved tensors are not supported");
  // "boxDim[0] * elementSizeInBytes must be a multiple of 16 bytes."
  const uint64_t innerBytes = uint64_t(box[0]) * element.bytes;
  if (innerBytes % 16 != 0)
    return fail(CUDA_ERROR_INVALID_VALUE, format("rows of {} bytes in a box, which is no multiple of 16", innerBytes));
  US_TRY(const unsigned swizzledRows, swizzleOf(swizzle, innerBytes));
  if (promotion < CU_TENSOR_MAP_L2_PROMOTION_NONE || promotion > CU_TENSOR_MAP_L2_PROMOTION_L2_256B)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no promotion {}", int(promotion)));
  if (fill < CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE || fill > CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no fill {}", int(fill)));
  // "can only be used when tensorDataType represents a floating-point data type"
  if (fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE && !element.isFloat)
    return fail(CUDA_ERROR_INVALID_VALUE, format("a fill of NaN in a tensor of data type {}", int(type)));
  words.put(kAddress, reinterpret_cast<uintptr_t>(address));
  words.put(kMark, kMark16);
  words.put(kRank, rank);
  words.put(kType, uint64_t(type));
  words.put(kSwizzle, swizzledRows);
  words.put(kFillsNan, fill == CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
  words.store(*map);
  return {};
}

Expected<void> tensorMapReplaceAddress(CUtensorMap *map, void *address) {
  US_CHECK(checkMap(map));
  US_CHECK(checkAddress(address));
  if ((map->opaque[kMark.word] & ((1u << kMark.bits) - 1)) != kMark16)
    return fail(CUDA_ERROR_INVALID_VALUE, "that is no tensor map");
  map->opaque[kAddress.word] = reinterpret_cast<uintptr_t>(address);
  return {};
}

} // namespace us::cuda
