// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mipmaps: which level a read with a level of detail looks into, and how much of the next one is mixed in. A level is a
// texture of its own, with the sampler of the whole.
#include "emulator/builtins/opencl/texture/texture.h"

__attribute__((cold)) ulong us_level(ulong t, ulong s, float detail, uint next) __asm("ptx.level");
__attribute__((cold)) float us_level_weight(ulong t, ulong s, float detail) __asm("ptx.level_weight");
__attribute__((cold)) ulong us_level_numbered(ulong t, uint number) __asm("ptx.level_numbered");

// The level of detail with bias and clamps, from 0 to the last level; not a number counts as 0.
US_INLINE float us_detail(us_texture t, ulong s, float detail) {
  us_texture sampler = s ? (us_texture)s : t;
  float level = detail + sampler->levelBias;
  level = level > sampler->leastLevel ? level : sampler->leastLevel;
  level = level < sampler->mostLevel ? level : sampler->mostLevel;
  const float last = (float)(t->levelCount - 1);
  return level > 0 ? (level < last ? level : last) : 0;
}
US_INLINE bool us_mixes(us_texture t, ulong s) {
  const us_view v = us_open((ulong)t, s);
  return (v.mode & US_MIX_LEVELS) && !us_is_integer(v);
}

ulong us_level(ulong handle, ulong s, float detail, uint next) {
  us_texture t = (us_texture)handle;
  if (!t->levels) return handle;
  const float level = us_detail(t, s, detail);
  // Without mixing the nearest one.
  uint number = (uint)(us_mixes(t, s) ? level : level + 0.5f) + next;
  if (number >= t->levelCount) number = t->levelCount - 1;
  return t->levels + number * sizeof(us_texture_descriptor);
}

// In multiples of 1/256, as filters have it.
float us_level_weight(ulong handle, ulong s, float detail) {
  us_texture t = (us_texture)handle;
  if (!t->levels || !us_mixes(t, s)) return 0;
  const float level = us_detail(t, s, detail);
  return (float)(uint)((level - (float)(uint)level) * 256.0f + 0.5f) / 256.0f;
}

ulong us_level_numbered(ulong handle, uint number) {
  us_texture t = (us_texture)handle;
  if (!t->levels) return handle;
  return t->levels + min(number, t->levelCount - 1) * sizeof(us_texture_descriptor);
}
