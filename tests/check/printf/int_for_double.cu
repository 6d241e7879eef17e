// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel show
//! global 2
//! local 2
//! arg buffer int 2 fill(i)
#include <cstdio>
extern "C" __global__ void show(const int *in) {
#ifdef FIXED
  printf("%f\n", double(in[threadIdx.x]));
#else
  printf("%f\n", in[threadIdx.x]); //~ wrong printf argument: work-items 0-1 of work-group 0
#endif
}
