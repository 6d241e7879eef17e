// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices whose types are known when the program runs, one or many.
#pragma once

#include "icd/cublas/call.h"

namespace us::cublas {

template <class T> inline constexpr cudaDataType kDataType = CUDA_R_32F;
template <> inline constexpr cudaDataType kDataType<double> = CUDA_R_64F;
template <> inline constexpr cudaDataType kDataType<__half> = CUDA_R_16F;
template <> inline constexpr cudaDataType kDataType<cuComplex> = CUDA_C_32F;
template <> inline constexpr cudaDataType kDataType<cuDoubleComplex> = CUDA_C_64F;

/// Many matrices: so far from one another, or by an array of pointers in memory of the device.
template <class Byte> struct Batch {
  Byte *memory; ///< void or const void
  cudaDataType type;
  int64_t leading;
  long long stride = 0;
  Byte *const *pointers = nullptr;

  Byte *at(int64_t number, size_t size) const {
    using Address = std::conditional_t<std::is_const_v<Byte>, const char, char>;
    return pointers ? pointers[number] : static_cast<Address *>(memory) + number * stride * int64_t(size);
  }
};
using Inputs = Batch<const void>;
using Outputs = Batch<void>;

/// C = alpha op(A) op(B) + beta C for each, with scalars of scaleType, computed in the widest that anything has.
cublasStatus_t products(Call call, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k,
                        const void *alpha, const Inputs &A, const Inputs &B, const void *beta, const Outputs &C,
                        cudaDataType scaleType, int64_t count);

} // namespace us::cublas
