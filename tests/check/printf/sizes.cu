// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel show
//! global 2
//! local 2
//! arg value long 5
//! arg buffer float 2
// In PTX an argument is so many bytes, and the format says how many.
#include <cstdio>
extern "C" __global__ void show(long n, float *f) {
#ifdef FIXED
  printf("%ld\n", n);
  printf("%f\n", f[threadIdx.x]);
  printf("%d %d\n", threadIdx.x, threadIdx.x);
  printf("%s and %% of %c %p\n", "this", 'x', f);
  printf("%ld %d %d %f\n", n, 1, 2, 3.0);
  printf("%*d %.*f\n", 5, 3, 2, 1.0);
#else
  printf("%d\n", n);                 //~ wrong printf argument: work-items 0-1 of work-group 0
  printf("%d %f\n", 1, threadIdx.x); //~ wrong printf argument: work-items 0-1 of work-group 0
  printf("%d\n");                    //~ wrong printf argument: work-items 0-1 of work-group 0
  printf("%d %d\n", threadIdx.x);    //~ wrong printf argument: work-items 0-1 of work-group 0
#endif
}
