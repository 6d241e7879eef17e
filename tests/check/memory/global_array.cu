// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel shift
//! global 64
//! local 32
//! arg buffer int 64 fill(i)
//! arg buffer int 63
// The last thread has no right neighbor.
extern "C" __global__ void shift(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i < 63)
#endif
  out[i] = in[i + 1]; //~ out of bounds read: work-item 31 of work-group 1 | out of bounds write: work-item 31 of work-group 1
}
