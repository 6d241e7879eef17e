// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The polynomial of the arc tangents: atan(z) for 0 <= z <= 1 with a relative error of 2^-28; f64 below.
#pragma once
#include "emulator/builtins/opencl/math/widths.h"

US_INLINE float atanKernel(float z) {
  float s = z * z;
  float p = fusedf(-0x1.d377dap-10f, s, 0x1.642fb4p-7f);
  p = fusedf(p, s, -0x1.fd8396p-6f);
  p = fusedf(p, s, 0x1.da2b14p-5f);
  p = fusedf(p, s, -0x1.58092p-4f);
  p = fusedf(p, s, 0x1.c08c4ap-4f);
  p = fusedf(p, s, -0x1.242086p-3f);
  p = fusedf(p, s, 0x1.9991e4p-3f);
  p = fusedf(p, s, -0x1.55553ep-2f);
  return fusedf(z * s, p, z);
}

// f64: atan(a / b) for 0 <= a <= b, b positive; from tan(pi / 8) on as pi / 4 + atan((a - b) / (a + b)), which keeps
// the polynomial short. The second part of the sum comes separately, for those who subtract it from a multiple of pi
// / 2.
typedef struct {
  double hi, lo;
} AngleD;
US_INLINE AngleD atanOfRatio(double a, double b) {
  bool upper = a > 0x1.a827999fcef32p-2 * b;
  double z = upper ? (a - b) / (a + b) : a / b;
  double s = z * z;
  double p = fused(0x1.0acd9e91a5a35p-6, s, -0x1.1b311bb48c215p-5);
  p = fused(p, s, 0x1.74dccfb93fffp-5);
  p = fused(p, s, -0x1.ac7a5a79b3f26p-5);
  p = fused(p, s, 0x1.e19a0bfa3eef9p-5);
  p = fused(p, s, -0x1.110e87b4357d2p-4);
  p = fused(p, s, 0x1.3b1392d519db1p-4);
  p = fused(p, s, -0x1.745d165dc9713p-4);
  p = fused(p, s, 0x1.c71c71c303dbbp-4);
  p = fused(p, s, -0x1.249249248d7dcp-3);
  p = fused(p, s, 0x1.9999999999953p-3);
  p = fused(p, s, -0x1.5555555555555p-2);
  double t = fused(z * s, p, z);
  AngleD result = {upper ? 0x1.921fb54442d18p-1 : 0.0, upper ? t + 0x1.1a62633145c07p-55 : t};
  return result;
}
