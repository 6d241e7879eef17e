// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// -ftz=true reaches the functions that are an instruction; __fmaf_ieee_rn stays as it is.
// RUN: nvcc -ptx -arch=compute_80 %s -o %t && FileCheck --check-prefix=KEEP %s < %t
// RUN: nvcc -ptx -arch=compute_80 -ftz=true %s -o %t && FileCheck --check-prefix=FLUSH %s < %t
extern "C" __global__ void kernel(float *f, const double *d, int *i) {
  // KEEP: add.rn.f32
  // FLUSH: add.rn.ftz.f32
  f[0] = __fadd_rn(f[1], f[2]);
  // KEEP: cos.approx.f32
  // FLUSH: cos.approx.ftz.f32
  f[3] = __cosf(f[4]);
  // KEEP: div.approx.f32
  // FLUSH: div.approx.ftz.f32
  f[5] = __fdividef(f[6], f[7]);
  // KEEP: cvt.rpi.s32.f32
  // FLUSH: cvt.rpi.ftz.s32.f32
  *i = __float2int_ru(f[8]);
  // KEEP: cvt.rm.f32.f64
  // FLUSH: cvt.rm.ftz.f32.f64
  f[9] = __double2float_rd(*d);
  // KEEP: fma.rn.f32
  // FLUSH: fma.rn.f32
  f[10] = __fmaf_ieee_rn(f[11], f[12], f[13]);
}
