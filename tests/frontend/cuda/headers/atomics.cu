// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: nvcc -arch=sm_86 --ptx %s -o %t && FileCheck %s < %t

// CHECK: .visible .entry atomics(
extern "C" __global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d, unsigned short *h) {
  // CHECK: atom{{.*}}.add.{{[su]}}32
  i[1] = atomicAdd(i, i[2]);
  // CHECK: atom{{.*}}.add.f32
  f[1] = atomicAdd(f, f[2]);
  // CHECK: atom{{.*}}.add.f64
  d[1] = atomicAdd(d, d[2]);
  // CHECK: atom{{.*}}.cta{{.*}}.add
  i[3] = atomicAdd_block(i, i[2]);
  // CHECK: atom{{.*}}.sys{{.*}}.max.s32
  i[4] = atomicMax_system(i, i[2]);
  // CHECK: atom{{.*}}.inc.u32
  u[1] = atomicInc(u, 9u);
  // CHECK: atom{{.*}}.dec.u32
  u[2] = atomicDec(u, 9u);
  // CHECK: atom{{.*}}.min.u64
  l[1] = atomicMin(l, l[2]);
  // CHECK: atom{{.*}}.exch.b64
  l[3] = atomicExch(l, l[2]);
  // CHECK: atom.cas.b32
  i[5] = atomicCAS(i, 1, 2);
  // CHECK: atom.sys.cas.b64
  l[4] = atomicCAS_system(l, 1ull, 2ull);
  // CHECK: atom.cas.b16
  h[1] = atomicCAS(h, (unsigned short)1, (unsigned short)2);
  // CHECK: atom{{.*}}.xor.b32
  u[3] = atomicXor(u, u[4]);
  // CHECK: neg.s32
  // CHECK: atom{{.*}}.add.{{[su]}}32
  i[6] = atomicSub(i, i[7]);
  // CHECK: ld.global.cg.f32
  // CHECK: st.global.cs.f32
  __stcs(f + 3, __ldcg(f + 4));
  // CHECK: ld.global.nc.f32
  f[5] = __ldg(f + 6);
}
