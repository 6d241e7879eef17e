// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices that lie in shared memory and are told by descriptors: PTX's wgmma (docs/decisions/0071). A warp
// calculates the 16 rows of D that it holds.
#include "emulator/builtins/opencl/ptx/matrix.h"

float16 us_fma_f32(float16 x, float16 y, float16 z) __asm("llvm.fma.v16f32");
uint16 us_count_bits(uint16 x) __asm("llvm.ctpop.v16i32");

#define US_ADD_f32(x, y, s) us_fma_f32(x, (float16)(y), s)
#define US_ADD_s32(x, y, s) ((s) + (x) * (y))
#define US_ADD_and(x, y, s) ((s) + us_count_bits((x) & (y)))
#define US_NEGATE_f32(x) (-(x))
#define US_NEGATE_s32(x) (x)
#define US_NEGATE_and(x) (x)

// A descriptor: where the matrix begins, the leading and the stride offset, in 16 bytes each; the base offset; how its
// 16-byte pieces are swizzled: 0 not, 1 to 3 within 128, 64, 32 bytes. A piece lies in `k` pieces along K, or in `k`
// rows of K if the matrix has M or N running fastest, and in M or N likewise.
US_INLINE uint us_piece(ulong descriptor, uint mn, uint k, uint isMnMajor) {
  const uint start = descriptor & 0x3fff, leading = descriptor >> 16 & 0x3fff, stride = descriptor >> 32 & 0x3fff;
  const uint base = descriptor >> 49 & 7, mode = descriptor >> 62, bits = mode ? 4 - mode : 0, mask = (1 << bits) - 1;
  uint at = start;
  if (isMnMajor)
    at += bits ? (mn & mask) + (mn >> bits) * leading + ((k & 7) << bits) + (k >> 3) * stride
               : mn * stride + (k & 7) + (k >> 3) * leading;
  else
    at += ((mn & 7) << bits) + (mn >> 3) * stride + (bits ? k : k * leading);
  // The pattern repeats after 8 rows of 128 bytes.
  return (at ^ ((at >> 3) - base & mask)) << 4;
}

enum { US_F16, US_BF16, US_TF32, US_E4M3, US_E5M2, US_S8, US_U8, US_B1 };

// The elements of 16 bytes, as they are multiplied.
US_INLINE void us_elements_f32(const __local uchar *from, uint type, float *to) {
  if (type == US_F16) {
    vstore8(convert_float8(*(const __local half8 *)from), 0, to);
  } else if (type == US_BF16) {
    vstore8(as_float8(convert_uint8(*(const __local ushort8 *)from) << 16), 0, to);
  } else if (type == US_TF32) {
    vstore4(as_float4(*(const __local uint4 *)from & 0xffffe000), 0, to); // the lower 13 bits are ignored
  } else {
    const ushort16 bits = convert_ushort16(*(const __local uchar16 *)from);
    if (type == US_E5M2) {
      vstore16(convert_float16(as_half16(bits << (ushort)8)), 0, to);
    } else {
      // A half with an exponent that is 8 less; all ones is NaN.
      const ushort16 rest = bits & (ushort)0x7f, less = (bits & (ushort)0x80) << (ushort)8 | rest << (ushort)7;
      const float16 number = convert_float16(as_half16(less)) * 256.0f;
      vstore16(select(number, (float16)NAN, convert_int16(rest == (ushort)0x7f)), 0, to);
    }
  }
}
US_INLINE void us_elements_s32(const __local uchar *from, uint type, uint *to) {
  if (type == US_S8)
    vstore16(as_uint16(convert_int16(*(const __local char16 *)from)), 0, to);
  else
    vstore16(convert_uint16(*(const __local uchar16 *)from), 0, to);
}
US_INLINE void us_elements_and(const __local uchar *from, uint type, uint *to) {
  vstore4(*(const __local uint4 *)from, 0, to);
}

// Elements of all pieces go to their places by M or N, and K: those of a piece are next to each other along K, or along
// M or N.
#define US_LOAD_ALONG_K(kind, descriptor, type, first, count, place)                                                   \
  for (uint mn = 0; mn < (count); ++mn)                                                                                \
    for (uint part = 0; part < 2; ++part) {                                                                            \
      us_elements_##kind(arena + us_piece(descriptor, (first) + mn, part, 0), type, piece);                            \
      for (uint i = 0; i < perPiece; ++i) place(mn, part *perPiece + i) = piece[i];                                    \
    }
#define US_LOAD_ALONG_MN(kind, descriptor, type, first, count, place)                                                  \
  for (uint k = 0; k < 2 * perPiece; ++k)                                                                              \
    for (uint mn = 0; mn < (count); mn += perPiece) {                                                                  \
      us_elements_##kind(arena + us_piece(descriptor, ((first) + mn) / perPiece, k, 1), type, piece);                  \
      for (uint i = 0; i < perPiece; ++i) place(mn + i, k) = piece[i];                                                 \
    }
// In a vector, row 4 * i + j is element 4 * j + i (matrix.h).
#define US_PLACE_OF_A(row, k) x[k].words[(row) % 4 * 4 + (row) / 4]
// Elements of a piece stay next to each other.
#define US_COLUMN_OF_B(column, k) y[(column) * 32 + (k)]
#define US_ROW_OF_B(column, k) y[(k) * 8 + (column)]

// Four columns at a time: with as many rows, they are all that registers of 256 bits hold. Those of 512 hold all.
#define US_FOUR_COLUMNS(T, ADD, PLACE, odd)                                                                            \
  {                                                                                                                    \
    __local T *c = words + 128 * tile + 32 * odd;                                                                      \
    US_ROWS(T, c, 0, 2, s0, s2, s4, s6)                                                                                \
    for (uint k = 0; k < 2 * perPiece; ++k) {                                                                          \
      const T##16 rows = x[k].rows;                                                                                    \
      s0 = ADD(rows, PLACE(odd, k), s0), s2 = ADD(rows, PLACE(2 + odd, k), s2);                                        \
      s4 = ADD(rows, PLACE(4 + odd, k), s4), s6 = ADD(rows, PLACE(6 + odd, k), s6);                                    \
    }                                                                                                                  \
    US_KEEP_ROWS(T, c, 0, 2, s0, s2, s4, s6)                                                                           \
  }
#define US_EIGHT_COLUMNS(T, ADD, PLACE)                                                                                \
  {                                                                                                                    \
    __local T *c = words + 128 * tile;                                                                                 \
    US_ROWS(T, c, 0, 2, s0, s2, s4, s6)                                                                                \
    US_ROWS(T, c, 1, 3, s1, s3, s5, s7)                                                                                \
    for (uint k = 0; k < 2 * perPiece; ++k) {                                                                          \
      const T##16 rows = x[k].rows;                                                                                    \
      s0 = ADD(rows, PLACE(0, k), s0), s1 = ADD(rows, PLACE(1, k), s1);                                                \
      s2 = ADD(rows, PLACE(2, k), s2), s3 = ADD(rows, PLACE(3, k), s3);                                                \
      s4 = ADD(rows, PLACE(4, k), s4), s5 = ADD(rows, PLACE(5, k), s5);                                                \
      s6 = ADD(rows, PLACE(6, k), s6), s7 = ADD(rows, PLACE(7, k), s7);                                                \
    }                                                                                                                  \
    US_KEEP_ROWS(T, c, 0, 2, s0, s2, s4, s6)                                                                           \
    US_KEEP_ROWS(T, c, 1, 3, s1, s3, s5, s7)                                                                           \
  }
#define US_TILES(kind, T, ADD, LOAD, PLACE)                                                                            \
  for (uint tile = 0; tile < tiles; ++tile) {                                                                          \
    LOAD(kind, b, ofB, column + 8 * tile, 8, PLACE)                                                                    \
    if (bits == 512)                                                                                                   \
      US_EIGHT_COLUMNS(T, ADD, PLACE)                                                                                  \
    else                                                                                                               \
      for (uint odd = 0; odd < 2; ++odd) US_FOUR_COLUMNS(T, ADD, PLACE, odd)                                           \
  }

// Words: of D, for each tile of 8 columns, as mma has them; then A's registers, if it is in these: chunk, upper or
// lower 8 rows, element; in the last five of lane 0 the descriptors and the first row. `form`: the types of A and B,
// three bits each; A is in registers; M runs fastest in A, N in B, which elements of 16 bits may; A is negated;
// elements of A's registers. The product's K is as many elements as two pieces have.
#define US_DESCRIBED(name, kind, T, ADD, TYPE_OF_A, TYPE_OF_B, PIECE)                                                  \
  US_ONCE us_once_wgmma_##name(__local T *words, const __local uchar *arena, uint form, uint column, uint tiles,       \
                               uint bits) {                                                                            \
    const __local uint *told = (const __local uint *)words + 32 * 27;                                                  \
    const ulong a = told[0] | (ulong)told[32] << 32, b = told[64] | (ulong)told[96] << 32;                             \
    const uint row = told[128], ofA = TYPE_OF_A, ofB = TYPE_OF_B, each = form >> 10, perPiece = PIECE;                 \
    union {                                                                                                            \
      T##16 rows;                                                                                                      \
      T words[16];                                                                                                     \
    } x[32];                                                                                                           \
    T y[8 * 32], piece[16];                                                                                            \
    if (form & 64) {                                                                                                   \
      const __local T *low = words + 128 * tiles;                                                                      \
      for (uint chunk = 0; chunk < 2; ++chunk, low += 64 * each)                                                       \
        for (uint i = 0; i < each; ++i) {                                                                              \
          US_ROWS(T, low, i, each + i, x0, x1, x2, x3)                                                                 \
          const uint k = chunk * 4 * each + i;                                                                         \
          x[k].rows = x0, x[k + each].rows = x1, x[k + 2 * each].rows = x2, x[k + 3 * each].rows = x3;                 \
        }                                                                                                              \
    } else if (perPiece == 8 && form & 128) {                                                                          \
      US_LOAD_ALONG_MN(kind, a, ofA, row, 16, US_PLACE_OF_A)                                                           \
    } else {                                                                                                           \
      US_LOAD_ALONG_K(kind, a, ofA, row, 16, US_PLACE_OF_A)                                                            \
    }                                                                                                                  \
    if (form & 512)                                                                                                    \
      for (uint k = 0; k < 2 * perPiece; ++k) x[k].rows = US_NEGATE_##kind(x[k].rows);                                 \
    if (perPiece == 8 && form & 256) {                                                                                 \
      US_TILES(kind, T, ADD, US_LOAD_ALONG_MN, US_ROW_OF_B)                                                            \
    } else {                                                                                                           \
      US_TILES(kind, T, ADD, US_LOAD_ALONG_K, US_COLUMN_OF_B)                                                          \
    }                                                                                                                  \
  }                                                                                                                    \
  US_CONVERGENT void us_ptx_wgmma_##name(const __local uchar *arena, uint form, uint column, uint tiles) {             \
    US_BY_ONE(us_once_wgmma_##name(US_SLOTS(T), arena, form, column, tiles, us_register_bits()));                      \
  }

US_DESCRIBED(f16, f32, float, US_ADD_f32, US_F16, US_F16, 8)
US_DESCRIBED(bf16, f32, float, US_ADD_f32, US_BF16, US_BF16, 8)
US_DESCRIBED(tf32, f32, float, US_ADD_f32, US_TF32, US_TF32, 4)
US_DESCRIBED(f8, f32, float, US_ADD_f32, form & 7, form >> 3 & 7, 16)
US_DESCRIBED(s32, s32, uint, US_ADD_s32, form & 7, form >> 3 & 7, 16)
US_DESCRIBED(and, and, uint, US_ADD_and, US_B1, US_B1, 4)
