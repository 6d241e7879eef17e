// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's tex and tld4 of cube maps and their arrays.
#include "emulator/builtins/opencl/texture/cube.h"
#include "emulator/builtins/opencl/texture/gather.h"

__attribute__((cold)) uint4 us_tex_cube(ulong t, ulong s, float x, float y, float z) __asm("ptx.tex.cube");
__attribute__((cold)) uint4 us_tex_acube(ulong t, ulong s, int layer, float x, float y, float z) __asm("ptx.tex.acube");
__attribute__((cold)) uint4 us_gather_cube(ulong t, ulong s, uint channel, float x, float y,
                                           float z) __asm("ptx.gather.cube");
__attribute__((cold)) uint4 us_gather_acube(ulong t, ulong s, uint channel, int layer, float x, float y,
                                            float z) __asm("ptx.gather.acube");

typedef struct {
  int3 texel[4]; ///< lower left, lower right, upper left, upper right; z: the face
  int xWeight, yWeight;
  bool isCorner[4]; ///< beyond two edges, where three faces meet: there is no such texel
} us_cube_square;

/// The four texels around a place, of which some may lie on other faces.
US_INLINE us_cube_square us_square_of(us_view v, us_face f) {
  const int size = (int)v.t->width;
  const float x = f.s * size - 0.5f, y = f.t * size - 0.5f;
  const int fixedX = (int)floor(x * 256 + 0.5f), fixedY = (int)floor(y * 256 + 0.5f);
  us_cube_square q;
  q.xWeight = fixedX & 255;
  q.yWeight = fixedY & 255;
  for (int k = 0; k < 4; ++k) {
    const int i = (fixedX >> 8) + (k & 1), j = (fixedY >> 8) + (k >> 1);
    const bool beyondX = us_is_beyond(i, size), beyondY = us_is_beyond(j, size);
    q.isCorner[k] = beyondX && beyondY;
    q.texel[k] = beyondX != beyondY ? us_across(f.face, i, j, size)
                                    : (int3)(clamp(i, 0, size - 1), clamp(j, 0, size - 1), f.face);
  }
  return q;
}

/// Where three faces meet their mean stands in, in 256ths: that of the opposite texel weighs one more.
US_INLINE us_mix us_corner_mean(us_view v, const us_cube_square *q, int corner, int first) {
  us_mix mix = {0};
  for (int k = 0; k < 4; ++k)
    if (k != corner)
      us_add(&mix, v, k == (corner ^ 3) ? 86 : 85, q->texel[k].x, q->texel[k].y, first + q->texel[k].z, true);
  return mix;
}

US_INLINE int us_cube_of(us_view v, int layer) { return (int)min((uint)layer, max(v.t->layers / 6, 1u) - 1); }

US_INLINE uint4 us_sample_cube(us_view view, int cube, float x, float y, float z) {
  if (view.t->width == 0) return 0;
  const us_view v = us_cube_view(view);
  const us_face f = us_face_of(x, y, z);
  const int first = us_cube_of(v, cube) * 6;
  if (!(v.mode & US_LINEAR) || !(v.mode & US_SEAMLESS)) return us_sample_2d(v, f.s, f.t, first + f.face);
  const us_cube_square q = us_square_of(v, f);
  const int right = q.xWeight, left = 256 - right;
  const int upperRight = (q.yWeight * right + 128) >> 8, upperLeft = (q.yWeight * left + 127) >> 8;
  const int weights[4] = {left - upperLeft, right - upperRight, upperLeft, upperRight};
  us_mix mix = {0};
  for (int k = 0; k < 4; ++k) {
    if (q.isCorner[k])
      mix.sum += us_corner_mean(v, &q, k, first).sum * (weights[k] / 256.0);
    else
      us_add(&mix, v, weights[k], q.texel[k].x, q.texel[k].y, first + q.texel[k].z, true);
  }
  return us_mixed(v, mix);
}

uint4 us_tex_cube(ulong t, ulong s, float x, float y, float z) { return us_sample_cube(us_open(t, s), 0, x, y, z); }
uint4 us_tex_acube(ulong t, ulong s, int layer, float x, float y, float z) {
  return us_sample_cube(us_open(t, s), layer, x, y, z);
}

US_INLINE uint4 us_gathered_cube(us_view view, uint channel, int cube, float x, float y, float z) {
  if (view.t->width == 0) return 0;
  const us_view v = us_cube_view(view);
  const us_face f = us_face_of(x, y, z);
  const int first = us_cube_of(v, cube) * 6;
  if (!(v.mode & US_SEAMLESS)) return us_gathered(v, channel, f.s, f.t, first + f.face);
  const us_cube_square q = us_square_of(v, f);
  uint result[4];
  for (int k = 0; k < 4; ++k)
    result[k] = q.isCorner[k] ? us_mixed(v, us_corner_mean(v, &q, k, first))[channel]
                              : us_corner(v, channel, q.texel[k].x, q.texel[k].y, first + q.texel[k].z, true);
  return (uint4)(result[2], result[3], result[1], result[0]);
}
uint4 us_gather_cube(ulong t, ulong s, uint channel, float x, float y, float z) {
  return us_gathered_cube(us_open(t, s), channel, 0, x, y, z);
}
uint4 us_gather_acube(ulong t, ulong s, uint channel, int layer, float x, float y, float z) {
  return us_gathered_cube(us_open(t, s), channel, layer, x, y, z);
}
