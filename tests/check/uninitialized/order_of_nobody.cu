// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel arrange
//! global 8
//! local 8
//! arg buffer int 8 fill(i)
//! arg buffer int 8
// Who is even has no place in the order, and takes what is there.
extern "C" __global__ void arrange(const int *in, int *out) {
  __shared__ int order[8];
  int i = threadIdx.x;
#ifdef FIXED
  order[i] = 7 - i;
#else
  if (in[i] % 2) order[i] = 7 - i;
#endif
  __syncthreads();
  out[i] = in[i] + order[i]; //~ uninitialized store: work-items 0, 2, 4, 6 of work-group 0
}
