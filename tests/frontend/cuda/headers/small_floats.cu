// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: nvcc -arch=sm_86 --ptx %s -o %t && FileCheck %s < %t
// The types of cuda_fp16.h and cuda_bf16.h are the machine's.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// CHECK: .visible .entry halves(
extern "C" __global__ void halves(__half2 *pairs, half *h, float *f) {
  // CHECK: fma.rn.f16x2
  pairs[0] = __hfma2(pairs[1], pairs[2], pairs[3]);
  // CHECK: add.{{(rn.)?}}f16
  h[0] = h[1] + h[2];
  // CHECK: cvt.rp.f16.f32
  h[3] = __float2half_ru(f[0]);
  // CHECK: cvt.f32.f16
  f[1] = __half2float(h[4]);
  // CHECK: shfl.sync.idx.b32
  h[5] = __shfl_sync(0xffffffffu, h[6], 0);
  // CHECK: atom.cas.b32
  atomicAdd(pairs, pairs[4]);
}

// CHECK: .visible .entry brains(
extern "C" __global__ void brains(__nv_bfloat16 *b, __nv_bfloat162 *pairs, float *f) {
  // CHECK: fma.rn.bf16
  b[0] = __hfma(b[1], b[2], b[3]);
  // CHECK: fma.rn.bf16x2
  pairs[0] = __hfma2(pairs[1], pairs[2], pairs[3]);
  // CHECK: cvt.rn.bf16.f32
  b[4] = __float2bfloat16(f[0]);
}
