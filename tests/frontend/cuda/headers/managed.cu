// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: nvcc -arch=sm_86 --ptx %s -o %t && FileCheck %s < %t
// RUN: nvcc -arch=sm_86 --cubin %s -o %t

// CHECK-DAG: .visible .global .attribute(.managed) .align 4 .u32 counter = 5;
__managed__ int counter = 5;
// CHECK-DAG: .visible .global .align 4 .u32 other;
__device__ int other;
// CHECK-DAG: .attribute(.managed) .align 4 .b8 values[12];
__device__ __managed__ float values[3];

extern "C" __global__ void use() { counter += other + values[1]; }
