// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel strided
//! global 4
//! local 4
//! arg buffer int 64 fill(i)
//! arg buffer int 4
//! arg value int 0
extern "C" __global__ void strided(const int *in, int *out, int step) {
  int sum = 0;
#ifdef FIXED
  step = max(step, 1);
#endif
  for (int i = threadIdx.x; i < 64; i += step) //~ no progress: work-item 0 of work-group 0
    sum += in[i];
  out[threadIdx.x] = sum;
}
