// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of the four kinds that routines with a letter in their names have.
#pragma once

#include "icd/cublas/blas.h"
#include "icd/cublas/checks.h"
#include "icd/cuda/include/library_types.h"

namespace us::cusparse {

using cublas::Host;
using cublas::host;
using cublas::reachesLater;

/// What is calculated in.
template <class T> using Wide = std::conditional_t<cublas::kIsComplex<Host<T>>, std::complex<double>, double>;

template <class T> inline constexpr cudaDataType kType = CUDA_R_32F;
template <> inline constexpr cudaDataType kType<double> = CUDA_R_64F;
template <> inline constexpr cudaDataType kType<cuComplex> = CUDA_C_32F;
template <> inline constexpr cudaDataType kType<cuDoubleComplex> = CUDA_C_64F;

} // namespace us::cusparse
