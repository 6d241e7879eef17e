// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel bins
//! global 16
//! local 16
//! arg buffer int 16 fill(i % 4)
//! arg buffer int 16 fill(0)
extern "C" __global__ void bins(const int *sizes, int *out) {
  int i = threadIdx.x;
  int size = sizes[i];
#ifdef FIXED
  if (size == 0) return;
#endif
  out[i] = i % size; //~ remainder by zero: work-items 0, 4, 8, 12 of work-group 0
}
