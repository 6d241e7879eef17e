// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's tld4: one channel of the four texels that a linear filter would mix, counter-clockwise from the lower left.
#include "emulator/builtins/opencl/texture/gather.h"

__attribute__((cold)) uint4 us_gather_2d(ulong t, ulong s, uint channel, float x, float y) __asm("ptx.gather.2d");
__attribute__((cold)) uint4 us_gather_a2d(ulong t, ulong s, uint channel, int layer, float x,
                                          float y) __asm("ptx.gather.a2d");

uint4 us_gather_2d(ulong t, ulong s, uint channel, float x, float y) {
  return us_gathered(us_open(t, s), channel, x, y, 0);
}
uint4 us_gather_a2d(ulong t, ulong s, uint channel, int layer, float x, float y) {
  const us_view v = us_open(t, s);
  return us_gathered(v, channel, x, y, us_layer(v, layer));
}
