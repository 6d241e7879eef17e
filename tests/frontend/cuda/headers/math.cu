// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: nvcc -arch=sm_86 --ptx %s -o %t && FileCheck %s < %t && FileCheck --check-prefix=NONE %s < %t
// RUN: nvcc -arch=sm_86 --use_fast_math --ptx %s -o %t && FileCheck --check-prefix=FAST %s < %t
// RUN: nvcc -arch=sm_86 -fmad=false --ptx %s -o %t && FileCheck --check-prefix=APART %s < %t
// Every function is in the module: nothing is left for somebody else's library.
#include <cmath>
// NONE-NOT: .extern .func

// CHECK: .visible .entry exact(
extern "C" __global__ void exact(float *f, double *d) {
  // CHECK: sqrt.rn.f32
  // FAST-DAG: sqrt.rn.ftz.f32
  f[1] = sqrtf(f[0]);
  // CHECK: div.rn.f32
  // FAST-DAG: div.approx.ftz.f32
  f[2] = f[0] / f[1];
  // CHECK: fma.rn.f32
  // FAST-DAG: fma.rn.ftz.f32
  // APART-NOT: fma.rn.f32
  // APART: mul.rn.f32
  // APART: add.rn.f32
  f[3] = f[0] * f[1] + f[2];
  // CHECK: add.rz.f32
  f[4] = __fadd_rz(f[0], f[1]);
  // CHECK: fma.rp.f64
  d[1] = __fma_ru(d[0], d[0], d[2]);
  // CHECK: cvt.rmi.s32.f32
  ((int *)f)[5] = __float2int_rd(f[0]);
  // The instruction saturates; a conversion in C++ that does not fit would be undefined, and folded to nothing.
  // CHECK: cvt.rzi.s32.f32
  ((int *)f)[6] = __float2int_rz(1e20f);
  // CHECK: cvt.rzi.u64.f64
  ((unsigned long long *)d)[2] = __double2ull_rz(-1.0);
}

// CHECK: .visible .entry functions(
extern "C" __global__ void functions(float *f, double *d) {
  // FAST-DAG: sin.approx.{{(ftz.)?}}f32
  f[0] = sinf(f[0]) + std::pow(f[1], f[2]) + erfinvf(f[3]) + j0f(f[4]) + lgammaf(f[5]);
  d[0] = std::sin(d[0]) + pow(d[1], d[2]) + normcdfinv(d[3]) + yn(4, d[4]) + tgamma(d[5]) + cyl_bessel_i0(d[6]);
  f[1] = max(f[1], 3.0f) + min(f[2], f[3]) + fabs(f[4]) + floor(f[5]) + exp(f[6]) + rsqrt(f[7]);
  d[1] = fmin(d[1], 2.0) + fmod(d[2], d[3]) + std::abs(d[4]) + std::isnan(d[5]) + rint(d[6]) + cbrt(d[7]);
}

// CHECK: .visible .entry integers(
extern "C" __global__ void integers(int *i, unsigned long long *l) {
  // CHECK: clz.b32
  i[1] = __clz(i[0]);
  // CHECK: popc.b64
  i[2] = __popcll(l[0]);
  // CHECK: brev.b32
  i[3] = __brev(i[0]);
  // CHECK: prmt.b32
  i[4] = __byte_perm(i[0], i[1], 0x1234);
  // CHECK: mul.hi.u64
  l[1] = __umul64hi(l[0], l[2]);
  // CHECK: dp4a.s32.s32
  i[5] = __dp4a(i[0], i[1], i[2]);
  // CHECK: shf.l
  i[6] = __funnelshift_l(i[0], i[1], i[2]);
}
