// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel average
//! global 4
//! local 2
//! arg buffer uint 4 fill(i * 10)
//! arg buffer uint 4 fill(i == 1 ? 0 : 2)
//! arg buffer uint 4
extern "C" __global__ void average(const unsigned *sums, const unsigned *counts, unsigned *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  out[i] = counts[i] ? sums[i] / counts[i] : 0;
#else
  out[i] = sums[i] / counts[i]; //~ division by zero: work-item 1 of work-group 0
#endif
}
