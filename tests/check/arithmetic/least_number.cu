// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel scale
//! global 4
//! local 4
//! arg buffer int 4 fill(i == 3 ? -2147483648 : i)
//! arg value int -1
//! arg buffer int 4
// The least number by -1 is more than an int holds.
extern "C" __global__ void scale(const int *in, int by, int *out) {
  int i = threadIdx.x;
#ifdef FIXED
  out[i] = int(in[i] / (long long)by);
#else
  out[i] = in[i] / by; //~ division overflow: work-item 3 of work-group 0
#endif
}
