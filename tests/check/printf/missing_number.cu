// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel show
//! global 2
//! local 2
#include <cstdio>
extern "C" __global__ void show() {
#ifdef FIXED
  if (threadIdx.x == 1) printf("%d of %d\n", threadIdx.x, blockDim.x);
#else
  if (threadIdx.x == 1) printf("%d of %d\n", threadIdx.x); //~ wrong printf argument: work-item 1 of work-group 0
#endif
}
