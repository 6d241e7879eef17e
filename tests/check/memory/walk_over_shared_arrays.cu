// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel total
//! global 4
//! local 4
//! arg buffer int 4
// A loop that takes two arrays for one.
extern "C" __global__ void total(int *out) {
  __shared__ int low[4], high[4];
  int i = threadIdx.x, sum = 0;
  low[i] = i;
  high[i] = i + 4;
  __syncthreads();
#ifdef FIXED
  for (int k = 0; k < 4; ++k) sum += low[k] + high[k];
#else
#pragma unroll 1
  for (int k = 0; k < 8; ++k)
    sum += low[k]; //~ out of bounds read: work-items 0-3 of work-group 0
  sum += high[i] & 0;
#endif
  out[i] = sum;
}
