// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of surface accesses, and PTX's formatted store. Modes: 0 trap, 1 clamp, 2 zero. Outside of a surface .zero
// gives null, which the caller looks at, and .trap too, which faults when it is used.
#include "emulator/builtins/opencl/texture/texture.h"

enum { US_TRAP, US_CLAMP_TO_EDGE, US_ZERO };

ulong us_surface_address(ulong s, int x, int y, int z, uint bytes, uint mode) __asm("ptx.surface.address");
ulong us_surface_texel(ulong s, int x, int y, int z, uint bytes, uint mode) __asm("ptx.surface.texel");
__attribute__((cold)) void us_surface_store(ulong s, ulong address, uint4 value) __asm("ptx.surface.store");

/// `x` in bytes, of which `bytes` are accessed.
US_INLINE ulong us_surface(us_texture t, long x, int y, int z, uint bytes, uint mode) {
  const long last[3] = {(long)t->width * t->elementSize - bytes, (long)t->height - 1,
                        (long)max(t->depth, t->layers) - 1};
  if (t->width == 0) return 0;
  long at[3] = {x, y, z};
  bool isInside = true;
  for (int i = 0; i < 3; ++i) {
    long clamped = at[i] > last[i] ? last[i] : at[i] < 0 ? 0 : at[i];
    if (i == 2 && at[i] < 0 && t->layers > 1) clamped = last[i]; // layers are unsigned
    isInside &= clamped == at[i];
    at[i] = clamped;
  }
  if (!isInside && mode != US_CLAMP_TO_EDGE) return 0;
  return (ulong)t->data + (ulong)at[2] * t->slicePitch + (ulong)at[1] * t->rowPitch + (ulong)at[0];
}

ulong us_surface_address(ulong s, int x, int y, int z, uint bytes, uint mode) {
  return us_surface((us_texture)s, x, y, z, bytes, mode);
}
ulong us_surface_texel(ulong s, int x, int y, int z, uint bytes, uint mode) {
  us_texture t = (us_texture)s;
  return us_surface(t, (long)x * t->elementSize, y, z, t->elementSize, mode);
}

US_INLINE half us_half_towards_zero(float x) {
  const half near = (half)x;
  const bool isBeyond = fabs((float)near) > fabs(x) && !isinf(x);
  return isBeyond ? as_half((ushort)(as_ushort(near) - 1)) : near;
}

/// "the value is converted to the format of the surface": integers are saturated, halves cut.
void us_surface_store(ulong s, ulong address, uint4 value) {
  us_texture t = (us_texture)s;
  __global uchar *texel = (__global uchar *)address;
  for (uint c = 0; c < t->channels; ++c) {
    const uint x = value[c];
    const int i = as_int(x);
    switch (t->type) {
    case US_UINT8:
      texel[c] = (uchar)(x > 255 ? 255 : x);
      break;
    case US_SINT8:
      texel[c] = (uchar)(i > 127 ? 127 : i < -128 ? -128 : i);
      break;
    case US_UINT16:
      ((__global ushort *)texel)[c] = (ushort)(x > 65535 ? 65535 : x);
      break;
    case US_SINT16:
      ((__global short *)texel)[c] = (short)(i > 32767 ? 32767 : i < -32768 ? -32768 : i);
      break;
    case US_HALF:
      ((__global half *)texel)[c] = us_half_towards_zero(as_float(x));
      break;
    default:
      ((__global uint *)texel)[c] = x;
    }
  }
}
