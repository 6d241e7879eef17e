// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel ids
//! global 12
//! local 4
//! arg buffer int 12
//! together
#include <cooperative_groups.h>
// Block 1 does not come to the barrier of the grid, for which the others wait.
extern "C" __global__ void ids(int *numbers) { //~0 wait that cannot end: work-items 0-3 of work-group 0; work-items 0-3 of work-group 2
#ifndef FIXED
  if (blockIdx.x != 1)
#endif
    cooperative_groups::this_grid().sync();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  numbers[i] = i;
}
