// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coordinates to texels: addressing, and the weights of filters.
#pragma once
#include "emulator/builtins/opencl/texture/texture.h"

/// One dimension of a read: a texel, or two of which the second has `weight` / 256. Not inside: outside of the texture.
typedef struct {
  int low, high;
  int weight;
  bool lowInside, highInside;
} us_axis;

/// A texel's number brought inside; false where it is the border.
US_INLINE bool us_bring_inside(int *at, int size, uint addressing) {
  const int i = *at;
  if (i >= 0 && i < size) return true;
  if (addressing == US_BORDER) return false;
  if (addressing == US_WRAP) {
    const int rest = i % size;
    *at = rest < 0 ? rest + size : rest;
  } else if (addressing == US_MIRROR) {
    const int period = 2 * size;
    int rest = i % period;
    rest = rest < 0 ? rest + period : rest;
    *at = rest < size ? rest : period - 1 - rest;
  } else {
    *at = i < 0 ? 0 : size - 1;
  }
  return true;
}

US_APART us_axis us_locate_as(us_view v, float px, uint size, uint dimension, bool isGather) {
  const uint addressing = us_addressing_of(v, dimension);
  const double length = size;
  us_axis axis;
  double x = px != px ? 0 : px; // not a number: 0
  if (v.mode & US_NORMALIZED) {
    // "x is replaced by frac(x)"; every second period of a mirror runs backwards.
    const bool isFinite = px - px == 0;
    if (addressing == US_WRAP) x = isFinite ? x - __builtin_elementwise_floor(x) : 0;
    if (addressing == US_MIRROR) {
      x = isFinite ? x - 2 * __builtin_elementwise_floor(x * 0.5) : 0;
      if (x > 1 && !isGather) x = 2 - x;
    }
    x *= length;
  }
  const double least = -4194304, most = 4194304; // beyond every texture
  x = x < least ? least : x > most ? most : x;
  if (v.mode & US_LINEAR) {
    // "x - 0.5, in fixed point with 8 bits of fraction"
    x -= 0.5;
    if (!isGather && (addressing == US_CLAMP || addressing == US_MIRROR))
      x = x < 0 ? 0 : x > length - 1 ? length - 1 : x;
    const int fixed = (int)__builtin_elementwise_floor(x * 256 + 0.5);
    axis.weight = fixed & 255;
    axis.low = fixed >> 8;
  } else {
    axis.weight = 0;
    axis.low = (int)__builtin_elementwise_floor(x);
  }
  axis.high = axis.low + 1;
  axis.lowInside = us_bring_inside(&axis.low, (int)size, addressing);
  axis.highInside = us_bring_inside(&axis.high, (int)size, addressing);
  return axis;
}

US_INLINE us_axis us_locate(us_view v, float x, uint size, uint dimension) {
  return us_locate_as(v, x, size, dimension, false);
}

US_APART double4 us_mixed_texel(us_view v, int x, int y, int z, bool isInside) {
  if (us_is_integer(v)) {
    const uint4 bits = us_point(v, x, y, z, isInside);
    const bool isUnsigned = v.t->type <= US_UINT32;
    return isUnsigned ? __builtin_convertvector(bits, double4) : __builtin_convertvector(as_int4(bits), double4);
  }
  const float4 raw = isInside ? us_floats(v, us_texel_address(v, x, y, z)) : us_border_floats(v);
  return __builtin_convertvector(raw, double4);
}

typedef struct {
  double4 sum;
} us_mix;
US_INLINE void us_add(us_mix *mix, us_view v, int weight, int x, int y, int z, bool isInside) {
  if (weight == 0) return;
  mix->sum += us_mixed_texel(v, x, y, z, isInside) * (double)weight;
}
/// The nearest float; the one that is further from 0 where two are as near.
US_INLINE float4 us_rounded_away(double4 x) {
  return __builtin_convertvector(as_double4((as_ulong4(x) + 0x10000000ul) & ~0x1ffffffful), float4);
}
US_APART uint4 us_mixed(us_view v, us_mix mix) {
  const double4 sum = mix.sum * (1 / 256.0);
  const bool isSigned = v.t->type == US_SINT8 || v.t->type == US_SINT16 || v.t->type == US_SINT32;
  if (us_is_integer(v)) {
    const double rounding = v.t->type == US_UINT32 || v.t->type == US_SINT32 ? 0 : 0.5;
    const double4 whole = __builtin_elementwise_floor(sum + rounding);
    return isSigned ? as_uint4(__builtin_convertvector(whole, int4)) : __builtin_convertvector(whole, uint4);
  }
  if (v.t->type >= US_HALF || (v.mode & US_SRGB)) {
    const uint4 mixed = as_uint4(us_scaled(v, us_rounded_away(sum)));
    return v.t->type == US_HALF ? (mixed + 0x1000) & 0xffffe000 : mixed; // with the bits of a half
  }
  const double4 whole = isSigned ? __builtin_elementwise_ceil(sum - 0.5) + 0.0 : __builtin_elementwise_floor(sum + 0.5);
  return as_uint4(us_scaled(v, __builtin_convertvector(whole, float4)));
}

/// The weights of a row of two texels that weigh `whole` together. What is exactly between two multiples of 1/256 goes
/// to the higher texel in the first half of an H200's filter and to the lower one in the second.
US_INLINE void us_row_of(us_mix *mix, us_view v, us_axis y, int whole, int x, bool xInside, int z, bool zInside,
                         bool isHigh) {
  const int product = y.weight * whole;
  const int high = isHigh ? (product + 128) >> 8 : (product + 127) >> 8;
  us_add(mix, v, whole - high, x, y.low, z, xInside && y.lowInside && zInside);
  us_add(mix, v, high, x, y.high, z, xInside && y.highInside && zInside);
}
US_INLINE void us_plane_of(us_mix *mix, us_view v, us_axis x, us_axis y, int whole, int z, bool zInside) {
  const int high = (x.weight * whole + 128) >> 8;
  us_row_of(mix, v, y, whole - high, x.low, x.lowInside, z, zInside, false);
  us_row_of(mix, v, y, high, x.high, x.highInside, z, zInside, true);
}

US_INLINE uint4 us_sample_1d(us_view v, float px, int layer) {
  // "linear memory can only be read with integer coordinates"
  if (v.t->width == 0 || (v.mode & US_MEMORY)) return 0;
  const us_axis x = us_locate(v, px, v.t->width, 0);
  if (!(v.mode & US_LINEAR)) return us_point(v, x.low, 0, layer, x.lowInside);
  us_mix mix = {0};
  us_add(&mix, v, 256 - x.weight, x.low, 0, layer, x.lowInside);
  us_add(&mix, v, x.weight, x.high, 0, layer, x.highInside);
  return us_mixed(v, mix);
}
US_INLINE uint4 us_sample_2d(us_view v, float px, float py, int layer) {
  if (v.t->width == 0) return 0;
  const us_axis x = us_locate(v, px, v.t->width, 0), y = us_locate(v, py, v.t->height, 1);
  if (!(v.mode & US_LINEAR)) return us_point(v, x.low, y.low, layer, x.lowInside && y.lowInside);
  us_mix mix = {0};
  us_plane_of(&mix, v, x, y, 256, layer, true);
  return us_mixed(v, mix);
}
US_INLINE uint4 us_sample_3d(us_view v, float px, float py, float pz) {
  if (v.t->width == 0) return 0;
  const us_axis x = us_locate(v, px, v.t->width, 0), y = us_locate(v, py, v.t->height, 1),
                z = us_locate(v, pz, v.t->depth, 2);
  if (!(v.mode & US_LINEAR)) return us_point(v, x.low, y.low, z.low, x.lowInside && y.lowInside && z.lowInside);
  us_mix mix = {0};
  us_plane_of(&mix, v, x, y, 256 - z.weight, z.low, z.lowInside);
  us_plane_of(&mix, v, x, y, z.weight, z.high, z.highInside);
  return us_mixed(v, mix);
}

/// "an unsigned index", which ends at the last layer.
US_INLINE int us_layer(us_view v, int layer) { return (int)min((uint)layer, max(v.t->layers, 1u) - 1); }
