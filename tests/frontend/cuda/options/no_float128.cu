// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: nvcc -arch=sm_120 --ptx %s -o %t && FileCheck %s < %t
// The host has numbers of 128 bits, the device has none: libraries ask by a macro whether they may use them.
#ifdef __CUDA_ARCH__
#if defined(__SIZEOF_FLOAT128__) || defined(__FLOAT128__)
#error "device code is told that it has __float128"
#endif
#elif !defined(__SIZEOF_FLOAT128__)
#error "host code is told that it has no __float128"
#endif

// CHECK: .entry nothing(
extern "C" __global__ void nothing() {}
