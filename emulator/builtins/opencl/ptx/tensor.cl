// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between a box of a tensor in global memory and shared memory, where it lies row by row, its 16-byte pieces
// perhaps swizzled: PTX's cp.async.bulk.tensor.
#include "emulator/builtins/opencl/ptx/ptx.h"

#define US_TENSOR_FIELD(name, word, shift, bits)                                                                       \
  US_INLINE ulong us_tensor_##name(const __generic ulong *map, uint words, uint bits_on) {                             \
    return map[word + words] >> (shift + bits_on) & ~0ul >> (64 - bits);                                               \
  }
#include "runtime/device/tensor_map.def"
#undef US_TENSOR_FIELD

#define US_TENSOR_MARK 0x7553
enum {
  US_U8,
  US_U16,
  US_U32,
  US_S32,
  US_U64,
  US_S64,
  US_F16,
  US_F32,
  US_F64,
  US_BF16,
  US_F32_FTZ,
  US_TF32,
  US_TF32_FTZ
};
enum { US_LOAD, US_STORE, US_ADD, US_MIN, US_MAX, US_INC, US_DEC, US_AND, US_OR, US_XOR };

static __constant uchar us_tensor_shift[16] = {0, 1, 2, 2, 3, 3, 1, 2, 3, 1, 2, 2, 2};

US_INLINE float us_tensor_wide(uint type, ulong bits) {
  return type == US_F16 ? convert_float(as_half((ushort)bits)) : as_float((uint)bits << 16);
}
US_INLINE ulong us_tensor_narrow(uint type, float number) {
  if (type == US_F16) return as_ushort(convert_half(number));
  const uint bits = as_uint(number);
  return number != number ? 0x7fff : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

// "min, max: of NaN and a number the number"; of +0 and -0 the one that is less (more).
US_INLINE ulong us_tensor_combined(uint type, uint what, ulong old, ulong value) {
  if (what == US_AND) return old & value;
  if (what == US_OR) return old | value;
  if (what == US_XOR) return old ^ value;
  if (what == US_INC) return (uint)old >= (uint)value ? 0 : (uint)old + 1;
  if (what == US_DEC) return (uint)old == 0 || (uint)old > (uint)value ? (uint)value : (uint)old - 1;
  if (type == US_F16 || type == US_BF16) {
    const float x = us_tensor_wide(type, old), y = us_tensor_wide(type, value);
    if (what == US_ADD) return us_tensor_narrow(type, x + y);
    const bool isFirst =
        y != y || (what == US_MIN ? x < y || (x == y && signbit(x)) : x > y || (x == y && !signbit(x)));
    return isFirst ? old : value;
  }
  if (what == US_ADD) {
    if (type == US_F64) return as_ulong(as_double(old) + as_double(value));
    if (type == US_F32 || type >= US_F32_FTZ) return as_uint(as_float((uint)old) + as_float((uint)value));
    return old + value;
  }
  bool isLess = old < value;
  if (type == US_S32) isLess = (int)old < (int)value;
  if (type == US_S64) isLess = (long)old < (long)value;
  return isLess == (what == US_MIN) ? old : value;
}

US_INLINE void us_tensor_update(uint type, uint what, __global uchar *at, ulong value) {
  const uint bytes = 1u << us_tensor_shift[type];
  if (bytes == 8) {
    volatile __global atomic_ulong *word = (volatile __global atomic_ulong *)at;
    ulong old = atomic_load_explicit(word, memory_order_relaxed, memory_scope_device);
    while (!atomic_compare_exchange_strong_explicit(word, &old, us_tensor_combined(type, what, old, value),
                                                    memory_order_relaxed, memory_order_relaxed, memory_scope_device));
    return;
  }
  const uint shift = ((ulong)at & 3) * 8, mask = bytes == 2 ? 0xffffu << shift : ~0u;
  volatile __global atomic_uint *word = (volatile __global atomic_uint *)((ulong)at & ~3ul);
  uint old = atomic_load_explicit(word, memory_order_relaxed, memory_scope_device), now;
  do {
    now = (old & ~mask) | ((uint)us_tensor_combined(type, what, (old & mask) >> shift, value) << shift & mask);
  } while (!atomic_compare_exchange_strong_explicit(word, &old, now, memory_order_relaxed, memory_order_relaxed,
                                                    memory_scope_device));
}

// Which numbers each operation takes.
US_INLINE bool us_tensor_takes(uint type, uint what) {
  const bool isInteger = type >= US_U32 && type <= US_S64;
  switch (what) {
  case US_LOAD:
  case US_STORE:
    return type <= US_TF32_FTZ;
  case US_ADD:
    return isInteger || (type >= US_F16 && type <= US_F32_FTZ);
  case US_MIN:
  case US_MAX:
    return isInteger || type == US_F16 || type == US_BF16;
  case US_INC:
  case US_DEC:
    return type == US_U32;
  }
  return type >= US_U32 && type <= US_TF32_FTZ && us_tensor_shift[type] >= 2;
}

// Moves the box that begins at some coordinates; how many bytes it has, or 0 if that is no description of so many
// dimensions, or not of numbers that the operation takes. Or if the box does not begin at a multiple of 16 bytes of its
// rows, or something is stored from below the first coordinate on: a real device has an illegal instruction then.
uint us_ptx_tensor_copy(const __generic ulong *map, uint rank, int c0, int c1, int c2, int c3, int c4,
                        __local uchar *memory, uint what) {
  const uint type = us_tensor_Type(map, 0, 0), shift = us_tensor_shift[type & 15];
  if (us_tensor_Mark(map, 0, 0) != US_TENSOR_MARK || us_tensor_Rank(map, 0, 0) != rank || !us_tensor_takes(type, what))
    return 0;
  if (((uint)c0 << shift) % 16 != 0 || (what != US_LOAD && (c0 | c1 | c2 | c3 | c4) < 0)) return 0;
  const long first[5] = {c0, c1, c2, c3, c4};
  const uint mask = (1u << us_tensor_Swizzle(map, 0, 0)) - 1, fillsNan = us_tensor_FillsNan(map, 0, 0);
  const bool flushes = what == US_LOAD && (type == US_F32_FTZ || type == US_TF32_FTZ);
  const ulong fill = fillsNan ? 0x7ff77ff77ff77ff7ul : 0; // a real device's, whatever the type
  uint counts[5] = {1, 1, 1, 1, 1}, steps[5] = {1, 1, 1, 1, 1}, rows = 1;
  for (uint i = 0; i < rank; ++i) {
    counts[i] = us_tensor_Box(map, 0, 8 * i) + 1;
    steps[i] = us_tensor_Step(map, 0, 3 * i) + 1;
    // "ceil(boxDim[i] / elementStrides[i])"; of the innermost dimension the stride is not looked at.
    if (i) counts[i] = (counts[i] + steps[i] - 1) / steps[i], rows *= counts[i];
  }
  // A row is as long as what is swizzled, and so perhaps longer than what is copied.
  const uint bytes = counts[0] << shift, pitch = mask ? (mask + 1) * 16 : bytes;
  const long width = us_tensor_Size(map, 0, 0);
  for (uint row = 0; row < rows; ++row) {
    ulong begin = us_tensor_Address(map, 0, 0);
    bool isInside = true;
    for (uint i = 1, rest = row; i < rank; rest /= counts[i], ++i) {
      const long at = first[i] + rest % counts[i] * steps[i];
      isInside &= at >= 0 && at < (long)us_tensor_Size(map, i, 0);
      begin += (ulong)at * us_tensor_Stride(map, i - 1, 0);
    }
    for (uint piece = 0; piece < bytes; piece += 16) {
      ulong place = (ulong)memory + row * pitch + piece;
      place ^= (place >> 7 & mask) << 4;
      __local uchar *here = (__local uchar *)place;
      const long x = first[0] + (piece >> shift);
      const uint elements = 16 >> shift;
      __global uchar *there = (__global uchar *)(begin + ((ulong)x << shift));
      if (isInside && x >= 0 && x + elements <= width && what <= US_STORE && !flushes) {
        if (what == US_LOAD)
          vstore16(vload16(0, there), 0, here);
        else
          vstore16(vload16(0, here), 0, there);
        continue;
      }
      for (uint i = 0; i < elements; ++i, here += 1 << shift, there += 1 << shift) {
        const bool isThere = isInside && x + i >= 0 && x + i < width;
        if (what == US_LOAD) {
          ulong value = fill;
          if (isThere) {
            value = 0;
            for (uint b = 0; b < 1 << shift; ++b) value |= (ulong)there[b] << 8 * b;
            if (flushes && (value & 0x7f800000) == 0) value &= 0x80000000;
          }
          for (uint b = 0; b < 1 << shift; ++b) here[b] = value >> 8 * b;
        } else if (isThere) {
          ulong value = 0;
          for (uint b = 0; b < 1 << shift; ++b) value |= (ulong)here[b] << 8 * b;
          if (what != US_STORE)
            us_tensor_update(type, what, there, value);
          else
            for (uint b = 0; b < 1 << shift; ++b) there[b] = value >> 8 * b;
        }
      }
    }
  }
  return rows * bytes;
}
