// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One channel of the four texels that a linear filter would mix.
#pragma once
#include "emulator/builtins/opencl/texture/sample.h"

/// In the units of a filter, which shows where these are finer than the texel's.
US_INLINE uint us_corner(us_view v, uint channel, int x, int y, int layer, bool isInside) {
  if (v.t->type != US_SINT8 || us_is_integer(v) || !isInside) return us_point(v, x, y, layer, isInside)[channel];
  return as_uint4(us_scaled(v, us_floats(v, us_texel_address(v, x, y, layer))))[channel];
}
US_INLINE uint4 us_gathered(us_view v, uint channel, float px, float py, int layer) {
  if (v.t->width == 0) return 0;
  v.mode |= US_LINEAR;
  const us_axis x = us_locate_as(v, px, v.t->width, 0, true), y = us_locate_as(v, py, v.t->height, 1, true);
  return (uint4)(us_corner(v, channel, x.low, y.high, layer, x.lowInside && y.highInside),
                 us_corner(v, channel, x.high, y.high, layer, x.highInside && y.highInside),
                 us_corner(v, channel, x.high, y.low, layer, x.highInside && y.lowInside),
                 us_corner(v, channel, x.low, y.low, layer, x.lowInside && y.lowInside));
}
