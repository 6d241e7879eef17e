// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel show
//! global 4
//! local 2
//! arg buffer long 4 fill(i)
#include <cstdio>
extern "C" __global__ void show(const long long *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  printf("%d: %lld\n", i, in[i]);
#else
  printf("%d: %d\n", i, in[i]); //~ wrong printf argument: work-items 0-1 of work-groups 0-1
#endif
}
