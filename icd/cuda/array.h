// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA arrays: what textures and surfaces look into. Here they are rows in linear memory that only copies and kernels'
// texture instructions reach.
#pragma once

#include "icd/cuda/context.h"

namespace us::cuda {

/// Formats of CUarray_format that an array can have; nothing for others.
std::optional<unsigned> channelBytes(CUarray_format format);

class Array final : public Object {
public:
  Array(Context &context, const CUDA_ARRAY3D_DESCRIPTOR &description, uint64_t begin, uint64_t rowPitch);
  ~Array() override;

  Context &context() const { return *context_; }
  const CUDA_ARRAY3D_DESCRIPTOR &description() const { return description_; }
  uint64_t begin() const { return begin_; }
  uint64_t rowPitch() const { return rowPitch_; }
  uint64_t slicePitch() const { return rowPitch_ * rows(); }
  uint64_t elementSize() const { return *channelBytes(description_.Format) * description_.NumChannels; }
  uint64_t rowBytes() const { return description_.Width * elementSize(); }
  uint64_t rows() const { return std::max<uint64_t>(description_.Height, 1); }
  uint64_t slices() const { return std::max<uint64_t>(description_.Depth, 1); }
  bool has(unsigned flag) const { return (description_.Flags & flag) != 0; }
  bool isLevel = false; ///< of a mipmapped array: set before anybody has its handle
  /// Its context is being destroyed, and the memory with it.
  void abandon() { begin_ = 0; }

private:
  Context *const context_; ///< alive until `abandon`
  const CUDA_ARRAY3D_DESCRIPTOR description_;
  uint64_t begin_;
  const uint64_t rowPitch_;
};

/// Arrays, each half the size of the one before.
class MipmappedArray final : public Object {
public:
  MipmappedArray(Context &context, std::vector<Ref<Array>> levels) : context_(&context), levels_(std::move(levels)) {}
  Context &context() const { return *context_; }
  const std::vector<Ref<Array>> &levels() const { return levels_; }

private:
  Context *const context_;
  const std::vector<Ref<Array>> levels_;
};

/// CUDA_ERROR_INVALID_HANDLE.
Expected<Ref<Array>> arrayOf(CUarray handle);
Expected<Ref<MipmappedArray>> mipmappedArrayOf(CUmipmappedArray handle);
inline CUmipmappedArray handleOf(const MipmappedArray &array) { return handleTo<CUmipmappedArray>(array); }
inline CUarray handleOf(const Array &array) { return handleTo<CUarray>(array); }
/// A context that is destroyed takes its arrays with it.
void forgetArraysOf(const Context &context);

} // namespace us::cuda
