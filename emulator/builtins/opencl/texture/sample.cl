// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's tex with coordinates of floating point. Texture and sampler are handles; a layer comes first.
#include "emulator/builtins/opencl/texture/sample.h"

#define US_TEX(name, ...)                                                                                              \
  __attribute__((cold)) uint4 us_tex_##name(ulong t, ulong s, __VA_ARGS__) __asm("ptx.tex." #name)
US_TEX(1d, float x);
US_TEX(2d, float x, float y);
US_TEX(3d, float x, float y, float z);
US_TEX(a1d, int layer, float x);
US_TEX(a2d, int layer, float x, float y);

uint4 us_tex_1d(ulong t, ulong s, float x) { return us_sample_1d(us_open(t, s), x, 0); }
uint4 us_tex_2d(ulong t, ulong s, float x, float y) { return us_sample_2d(us_open(t, s), x, y, 0); }
uint4 us_tex_3d(ulong t, ulong s, float x, float y, float z) { return us_sample_3d(us_open(t, s), x, y, z); }
uint4 us_tex_a1d(ulong t, ulong s, int layer, float x) {
  const us_view v = us_open(t, s);
  return us_sample_1d(v, x, us_layer(v, layer));
}
uint4 us_tex_a2d(ulong t, ulong s, int layer, float x, float y) {
  const us_view v = us_open(t, s);
  return us_sample_2d(v, x, y, us_layer(v, layer));
}
