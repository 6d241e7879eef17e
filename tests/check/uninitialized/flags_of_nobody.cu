// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel choose
//! global 8
//! local 4
//! arg buffer int 8 fill(i)
//! arg buffer int 8 unwritten
//! arg buffer int 8
extern "C" __global__ void choose(const int *in, int *flags, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  flags[i] = i & 1;
#else
  if (i < 6) flags[i] = i & 1;
#endif
  __syncthreads();
  if (flags[i]) //~ uninitialized branch: work-items 2-3 of work-group 1
    out[i] = in[i];
}
