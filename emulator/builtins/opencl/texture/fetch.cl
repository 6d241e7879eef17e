// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's tex with integer coordinates: texels by number, without filter. What is out of range is 0.
#include "emulator/builtins/opencl/texture/sample.h"

#define US_FETCH(name, ...)                                                                                            \
  __attribute__((cold)) uint4 us_fetch_##name(ulong t, ulong s, __VA_ARGS__) __asm("ptx.fetch." #name)
US_FETCH(1d, int x);
US_FETCH(2d, int x, int y);
US_FETCH(3d, int x, int y, int z);
US_FETCH(a1d, int layer, int x);
US_FETCH(a2d, int layer, int x, int y);

US_INLINE uint4 us_fetched(us_view v, int x, int y, int z) {
  const bool isInside = (uint)x < v.t->width && (uint)y < v.t->height && (uint)z < max(v.t->depth, v.t->layers);
  return isInside ? us_point(v, x, y, z, true) : 0;
}

uint4 us_fetch_1d(ulong t, ulong s, int x) { return us_fetched(us_open(t, s), x, 0, 0); }
uint4 us_fetch_2d(ulong t, ulong s, int x, int y) { return us_fetched(us_open(t, s), x, y, 0); }
uint4 us_fetch_3d(ulong t, ulong s, int x, int y, int z) { return us_fetched(us_open(t, s), x, y, z); }
uint4 us_fetch_a1d(ulong t, ulong s, int layer, int x) {
  const us_view v = us_open(t, s);
  return us_fetched(v, x, 0, us_layer(v, layer));
}
uint4 us_fetch_a2d(ulong t, ulong s, int layer, int x, int y) {
  const us_view v = us_open(t, s);
  return us_fetched(v, x, y, us_layer(v, layer));
}
