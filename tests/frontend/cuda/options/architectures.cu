// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: nvcc -arch=sm_90 --ptx %s -o %t && FileCheck --check-prefix=SM90 %s < %t
// RUN: nvcc -gencode=arch=compute_80,code=[sm_80,compute_80] -ptx %s -o %t && FileCheck --check-prefix=SM80 %s < %t
// RUN: nvcc --gpu-architecture compute_120 -ptx %s -o %t && FileCheck --check-prefix=SM120 %s < %t
// RUN: nvcc -ptx %s -o %t && FileCheck --check-prefix=DEFAULT %s < %t
// RUN: not nvcc -arch=sm_35 -ptx %s -o %t 2> %t.errors; FileCheck --check-prefix=OLD %s < %t.errors
// RUN: env UNDERSTUDY_CUDA_VERSION=11.8 nvcc -arch=sm_35 -ptx %s -o %t && FileCheck --check-prefix=SM35 %s < %t
// Code for what Clang does not know is made for the nearest below; the source sees the number that was asked for.
// SM90: .target sm_90
// SM90: 900
// SM80: .target sm_80
// SM80: 800
// SM120: .target sm_90
// SM120: 1200
// DEFAULT: .target sm_75
// OLD: CUDA 13.0 has no architecture 'sm_35'
// SM35: .target sm_50
// SM35: 350
extern "C" __global__ void kernel(int *out) { out[0] = __CUDA_ARCH__; }
