// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel neighbours
//! global 32
//! local 32
//! arg buffer int 32 fill(i)
//! arg buffer int 32
// The tile has one more element than there are threads, and nobody loads it.
extern "C" __global__ void neighbours(const int *in, int *out) {
  __shared__ int tile[33];
  int i = threadIdx.x;
  tile[i] = in[i];
#ifdef FIXED
  if (i == 31) tile[32] = 0;
#endif
  __syncthreads();
  out[i] = tile[i] + tile[i + 1]; //~ uninitialized store: work-item 31 of work-group 0
}
