// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "parts.h"
static __device__ int hidden = 10; // another one than that of the program
__device__ int helper(int x) { return own == x ? x * hidden : -1; }
