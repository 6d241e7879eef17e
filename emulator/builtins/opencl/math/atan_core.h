// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The polynomial of the arc tangents: atan(z) for 0 <= z <= 1 with a relative error of 2^-28.
#pragma once
#include "math/host.h"

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
