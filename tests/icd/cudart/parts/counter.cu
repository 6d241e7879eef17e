// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parts.h"
__device__ int counter = 7;
static __global__ void increment() { ++counter; }
void count() { increment<<<1, 1>>>(); }
