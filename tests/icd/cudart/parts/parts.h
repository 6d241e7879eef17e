// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the objects of programs/separate.cu have of each other.
#pragma once
extern __device__ int counter, own;
__device__ int helper(int x);
void count();
