// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Textures of CUDA: the descriptor behind a handle (the layout of emulator/abi/texture_abi.h), and texels to numbers.
// A kernel's PTX knows a texture by a number only, so that nothing of it is known while code is made. Where CUDA's
// documents leave open how a filter rounds, it rounds as an H200 does: weights are multiples of 1/256, texels of 8 and
// 16 bits are mixed as numbers of 16 bits.
#pragma once
#include "emulator/builtins/opencl/image/srgb.h"
#include "emulator/builtins/opencl/support.h"

typedef struct __attribute__((aligned(64))) {
  __global uchar *data;
  ulong rowPitch, slicePitch;
  uint width, height, depth, layers, type, channels, elementSize, mode;
  uint border[4];
  uint channelOrder, channelType;
  ulong levels; // descriptors like this one
  uint levelCount;
  float levelBias, leastLevel, mostLevel;
  uint reserved[6];
} us_texture_descriptor;
typedef __global const us_texture_descriptor *us_texture;

enum us_texel_type { US_UINT8, US_UINT16, US_UINT32, US_SINT8, US_SINT16, US_SINT32, US_HALF, US_FLOAT };
enum us_texture_mode {
  US_NORMALIZED = 1,
  US_LINEAR = 2,
  US_SRGB = 4,
  US_SEAMLESS = 8,
  US_INTEGER = 16,
  US_MEMORY = 32,
  US_MIX_LEVELS = 64,
  US_OF_SAMPLER = 0xff4f
};
enum us_addressing { US_WRAP, US_CLAMP, US_MIRROR, US_BORDER };

// A texture with the sampler that reads it: its own in unified mode, where `sampler` is 0.
typedef struct {
  us_texture t;
  uint mode;
  uint4 border;
} us_view;
US_INLINE us_view us_open(ulong texture, ulong sampler) {
  us_view v;
  v.t = (us_texture)texture;
  v.mode = v.t->mode;
  v.border = (uint4)(v.t->border[0], v.t->border[1], v.t->border[2], v.t->border[3]);
  if (sampler) {
    v.mode = (v.mode & ~(uint)US_OF_SAMPLER) | (((us_texture)sampler)->mode & US_OF_SAMPLER);
    v.border = 0;
  }
  return v;
}
US_INLINE uint us_addressing_of(us_view v, uint dimension) {
  const uint mode = v.mode >> (8 + 2 * dimension) & 3;
  // "wrap and mirror are only supported for normalized coordinates": clamp stands in.
  return (v.mode & US_NORMALIZED) || mode == US_BORDER ? mode : US_CLAMP;
}
/// Integers are read as such: on demand, and those of 32 bits always.
US_INLINE bool us_is_integer(us_view v) {
  return v.t->type == US_UINT32 || v.t->type == US_SINT32 || ((v.mode & US_INTEGER) && v.t->type < US_HALF);
}

#define US_CHANNELS(T, EXPRESSION)                                                                                     \
  for (uint c = 0; c < channels; ++c) {                                                                                \
    const T x = ((__global const T *)texel)[c];                                                                        \
    result[c] = (EXPRESSION);                                                                                          \
  }                                                                                                                    \
  break

/// The channels of a texel as integers; missing ones are 0.
US_INLINE uint4 us_integers(us_texture t, __global const uchar *texel) {
  const uint channels = t->channels;
  uint4 result = 0;
  switch (t->type) {
  case US_UINT8:
    US_CHANNELS(uchar, x);
  case US_SINT8:
    US_CHANNELS(char, (uint)(int)x);
  case US_UINT16:
  case US_HALF:
    US_CHANNELS(ushort, x);
  case US_SINT16:
    US_CHANNELS(short, (uint)(int)x);
  default:
    US_CHANNELS(uint, x);
  }
  return result;
}

/// 7 bits and a sign, as 15 bits and a sign.
US_INLINE float us_wide_snorm8(char x) {
  const int m = x < 0 ? -(int)x : x;
  const int wide = m * 258 + (m >> 6);
  return (float)(x < 0 ? -wide : wide);
}

/// With 8 significant bits, as much as an H200's table has.
US_INLINE float us_linear_of_srgb(uchar x) { return as_float((as_uint(us_srgb_to_linear[x]) + 0x8000u) & 0xffff0000u); }

/// As floats, in the units in which filters work: integers of 8 and 16 bits as multiples of 1/65535 or 1/32767.
US_INLINE float4 us_floats(us_view v, __global const uchar *texel) {
  const uint channels = v.t->channels;
  float4 result = 0;
  switch (v.t->type) {
  case US_UINT8:
    US_CHANNELS(uchar, (v.mode & US_SRGB) && c < 3 ? us_linear_of_srgb(x) : (float)(x * 257));
  case US_SINT8:
    US_CHANNELS(char, us_wide_snorm8(x));
  case US_UINT16:
    US_CHANNELS(ushort, x);
  case US_SINT16:
    US_CHANNELS(short, x);
  case US_HALF:
    US_CHANNELS(half, x);
  default:
    US_CHANNELS(float, x);
  }
  return result;
}

/// From a filter's units to what is read.
US_INLINE float4 us_scaled(us_view v, float4 raw) {
  switch (v.t->type) {
  case US_UINT8:
    return (float4)((v.mode & US_SRGB) ? raw.xyz : raw.xyz / 65535.0f, raw.w / 65535.0f);
  case US_UINT16:
    return raw / 65535.0f;
  case US_SINT8:
  case US_SINT16:
    return __builtin_elementwise_max(raw / 32767.0f, (float4)-1);
  default:
    return raw;
  }
}

US_INLINE __global const uchar *us_texel_address(us_view v, int x, int y, int z) {
  return v.t->data + (ulong)z * v.t->slicePitch + (ulong)y * v.t->rowPitch + (ulong)x * v.t->elementSize;
}

/// What lies outside of the texture, as integers: the channels that there are, cut to their size.
US_INLINE uint4 us_border_integers(us_view v) {
  uint4 result = v.border;
  const uint type = v.t->type, channels = v.t->channels;
  if (type == US_UINT8) result &= 0xff;
  if (type == US_SINT8) result = as_uint4(as_int4(result << 24) >> 24);
  if (type == US_UINT16) result &= 0xffff;
  if (type == US_SINT16) result = as_uint4(as_int4(result << 16) >> 16);
  if (channels < 4) result.zw = 0;
  if (channels < 2) result.y = 0;
  return result;
}
/// The same in a filter's units: the nearest that the format can hold.
US_INLINE float4 us_border_floats(us_view v) {
  float4 result = as_float4(v.border);
  const uint type = v.t->type, channels = v.t->channels;
  const bool isSigned = type == US_SINT8 || type == US_SINT16;
  if (type != US_HALF && type != US_FLOAT) {
    result = __builtin_elementwise_max(__builtin_elementwise_min(result, (float4)1), (float4)(isSigned ? -1 : 0));
    const float steps = type == US_UINT8 ? 255 : type == US_UINT16 ? 65535 : type == US_SINT8 ? 127 : 32767;
    const float wide = isSigned ? 32767 : 65535;
    result = __builtin_elementwise_ceil(result * steps - 0.5f) + 0.0f; // no negative zero
    if (type == US_UINT8) result *= 257;
    if (type == US_SINT8) result = __builtin_elementwise_rint(result * (wide / steps));
  }
  if (channels < 4) result.zw = 0;
  if (channels < 2) result.y = 0;
  return result;
}

// Of functions that are long and called often there is one copy.
#define US_APART static __attribute__((cold, noinline, overloadable))

/// The read of one texel, which lies inside or is the border.
US_APART uint4 us_point(us_view v, int x, int y, int z, bool isInside) {
  const bool isInteger = us_is_integer(v);
  if (!isInside && isInteger) return us_border_integers(v);
  if (!isInside) {
    const float4 border = us_border_floats(v);
    return as_uint4(v.t->type == US_SINT8 ? __builtin_elementwise_rint(border * (127.0f / 32767.0f)) / 127.0f
                                          : us_scaled(v, border));
  }
  __global const uchar *texel = us_texel_address(v, x, y, z);
  if (isInteger) return us_integers(v.t, texel);
  if (v.t->type != US_SINT8) return as_uint4(us_scaled(v, us_floats(v, texel)));
  const int4 x8 = as_int4(us_integers(v.t, texel));
  return as_uint4(__builtin_convertvector(__builtin_elementwise_max(x8, (int4)-127), float4) / 127.0f);
}
