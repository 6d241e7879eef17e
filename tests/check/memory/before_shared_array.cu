// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel smooth
//! global 8
//! local 8
//! arg buffer int 8
// The first thread reads the array in front, or behind: both are its block's.
extern "C" __global__ void smooth(int *out) {
  __shared__ int left[8], right[8];
  int i = threadIdx.x;
  left[i] = i;
  right[i] = -i;
  __syncthreads();
#ifdef FIXED
  int before = i ? i - 1 : 0;
#else
  int before = i - 1;
#endif
  out[i] = left[i] + right[before] + //~ out of bounds read: work-item 0 of work-group 0
           right[i] + left[i & 7];
}
