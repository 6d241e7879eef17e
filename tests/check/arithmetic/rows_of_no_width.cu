// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel rows
//! global 8
//! local 4
//! arg buffer long 8
//! arg value long 0
extern "C" __global__ void rows(long long *out, long long width) {
  long long i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (width == 0) width = 1;
#endif
  out[i] = i / width; //~ division by zero: work-items 0-3 of work-groups 0-1
}
