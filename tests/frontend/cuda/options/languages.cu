// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: nvcc -arch=sm_86 -std=c++11 --ptx %s -o %t && FileCheck %s < %t
// RUN: nvcc -arch=sm_86 --std c++20 --ptx %s -o %t && FileCheck --check-prefixes=CHECK,NEW %s < %t
// RUN: env UNDERSTUDY_CUDA_VERSION=11.8 nvcc -arch=sm_86 -std=c++11 --ptx %s -o %t && FileCheck %s < %t
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <curand_kernel.h>
// CHECK: .entry kernel
// NEW: 202002
extern "C" __global__ void kernel(long *out) { out[0] = __cplusplus; }
