// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cube maps: a direction to one of six faces, and a place on it.
#pragma once
#include "emulator/builtins/opencl/texture/sample.h"

/// A face, and coordinates on it from 0 to 1.
typedef struct {
  int face;
  float s, t;
} us_face;

/// "the face is that of the largest coordinate": of equal ones z comes before y before x.
US_INLINE us_face us_face_of(float x, float y, float z) {
  const float ax = fabs(x), ay = fabs(y), az = fabs(z);
  us_face f;
  float m, s, t;
  if (az >= ax && az >= ay) {
    f.face = z < 0 ? 5 : 4;
    m = az, s = z < 0 ? -x : x, t = -y;
  } else if (ay >= ax) {
    f.face = y < 0 ? 3 : 2;
    m = ay, s = x, t = y < 0 ? -z : z;
  } else {
    f.face = x < 0 ? 1 : 0;
    m = ax, s = x < 0 ? z : -z, t = -y;
  }
  f.s = m == 0 ? 0.5f : (s / m + 1) / 2;
  f.t = m == 0 ? 0.5f : (t / m + 1) / 2;
  return f;
}

/// The direction of a texel's middle on a face of `size` texels; the texel may lie beyond the face's edge.
US_INLINE float3 us_direction_of(int face, int i, int j, int size) {
  const float s = (2 * i + 1) / (float)size - 1, t = (2 * j + 1) / (float)size - 1;
  switch (face) {
  case 0:
    return (float3)(1, -t, -s);
  case 1:
    return (float3)(-1, -t, s);
  case 2:
    return (float3)(s, 1, t);
  case 3:
    return (float3)(s, -1, -t);
  case 4:
    return (float3)(s, -t, 1);
  default:
    return (float3)(-s, -t, -1);
  }
}

US_INLINE bool us_is_beyond(int i, int size) { return i < 0 || i >= size; }

/// The texel of the face beyond an edge that lies beside this one.
US_INLINE int3 us_across(int face, int i, int j, int size) {
  const float3 d = us_direction_of(face, i, j, size);
  const us_face f = us_face_of(d.x, d.y, d.z);
  return (int3)(clamp((int)floor(f.s * size), 0, size - 1), clamp((int)floor(f.t * size), 0, size - 1), f.face);
}

/// A place on a face is between 0 and 1; filters that reach across edges need no addressing.
US_INLINE us_view us_cube_view(us_view v) {
  v.mode |= US_NORMALIZED;
  if (v.mode & US_SEAMLESS) v.mode = (v.mode & ~(uint)0xff00) | US_CLAMP << 8 | US_CLAMP << 10;
  return v;
}
