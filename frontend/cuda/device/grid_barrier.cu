// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libcudadevrt.a: the functions by which compilers that have no cooperative_groups.h let a grid wait for itself (numba
// calls them). What else the device runtime has, the device has by itself.
#include <cooperative_groups.h>

namespace {
enum : int { kGrid = 1 }; // cudaCGScopeGrid
}

/// Null unless the launch is cooperative.
extern "C" __device__ unsigned long long cudaCGGetIntrinsicHandle(int scope) {
  return scope == kGrid ? reinterpret_cast<unsigned long long>(cooperative_groups::details::workspace()) : 0;
}

extern "C" __device__ cudaError_t cudaCGSynchronize(unsigned long long handle, unsigned int flags) {
  if (handle == 0 || flags != 0) return cudaErrorInvalidValue;
  cooperative_groups::this_grid().sync();
  return cudaSuccess;
}
