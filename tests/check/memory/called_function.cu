// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel neighbors
//! global 32
//! local 32
//! arg buffer int 32 fill(i)
//! arg buffer int 32
// A function that is called: its own line, not that of the call.
__device__ __noinline__ int right(const int *in, int i) {
#ifdef FIXED
  if (i == 31) return 0;
#endif
  return in[i + 1]; //~ out of bounds read: work-item 31 of work-group 0
}

extern "C" __global__ void neighbors(const int *in, int *out) {
  int i = threadIdx.x;
  out[i] = right(in, i);
}
