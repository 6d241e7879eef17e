// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products that are not of dense tiles of 16 by 8: mma.sp, and mma of four quarters of a warp (.m8n8k4 of halves).
#include "emulator/builtins/opencl/ptx/matrix.h"

float us_fma(float x, float y, float z) __asm("llvm.fma.f32");

#define US_ADD_f32(x, y, s) us_fma(x, y, s)
#define US_ADD_s32(x, y, s) ((s) + (x) * (y))
// Two integers of 16 bits each.
#define US_ADD_pair(x, y, s) ((s) + (short)(x) * (short)(y) + ((int)(x) >> 16) * ((int)(y) >> 16))

// Of A a chunk of 4 * n columns is there, which stand for twice as many: of `from` next to each other as many as half
// of these. Which ones, a row's metadata say: of row r (and of r + 8, in the upper `shift` bits if that is not 0) those
// of thread first (second) of its four. Registers: C; of A halves, elements; of B chunks, elements; the metadata.
#define US_SPARSE(name, T, ADD)                                                                                        \
  US_ONCE us_once_sparse_##name(__local T *words, uint n, uint from, uint first, uint second, uint shift) {            \
    const __local T *a = words + 32 * 4, *b = a + 32 * 2 * n;                                                          \
    const __local uint *metadata = (const __local uint *)(b + 32 * 2 * n);                                             \
    for (uint row = 0; row < 16; ++row) {                                                                              \
      const uint group = row % 8, upper = row / 8;                                                                     \
      const uint places = metadata[4 * group + (upper ? second : first)] >> (upper ? shift : 0);                       \
      for (uint column = 0; column < 8; ++column) {                                                                    \
        __local T *c = words + 32 * (2 * upper + column % 2) + 4 * group + column / 2;                                 \
        T sum = *c;                                                                                                    \
        for (uint s = 0; s < 4 * n; ++s) {                                                                             \
          const uint place = from == 4 ? places >> 2 * s & 3 : places >> (4 * s + 1) & 1;                              \
          const uint k = s / (from / 2) * from + place, chunk = k / (4 * n), within = k % (4 * n);                     \
          sum = ADD(a[32 * (upper * n + s % n) + 4 * group + s / n],                                                   \
                    b[32 * (chunk * n + within % n) + 4 * column + within / n], sum);                                  \
        }                                                                                                              \
        *c = sum;                                                                                                      \
      }                                                                                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  US_CONVERGENT void us_ptx_sparse_##name(uint n, uint from, uint first, uint second, uint shift) {                    \
    US_BY_ONE(us_once_sparse_##name(US_SLOTS(T), n, from, first, second, shift));                                      \
  }
US_SPARSE(f32, float, US_ADD_f32)
US_SPARSE(s32, uint, US_ADD_s32)
US_SPARSE(pair, uint, US_ADD_pair)

// Threads 4 * q to 4 * q + 3 and 16 + 4 * q to 19 + 4 * q have a product of 8x4 and 4x8 together. Registers: 8 of C, 4
// of A, 4 of B. Which way a thread's elements lie: `columns` bit 0 of A, 1 of B; `pairs` bit 0 of C, 1 of D.
US_INLINE uint us_quad_row(uint lane, uint i, bool inPairs) {
  return inPairs ? (lane & 1) + (i & 2) + lane / 16 * 4 : lane % 4 + lane / 16 * 4;
}
US_INLINE uint us_quad_column(uint lane, uint i, bool inPairs) { return inPairs ? (i & 4) + (lane & 2) + (i & 1) : i; }
US_ONCE us_once_quads(__local float *words, uint columns, uint pairs) {
  for (uint quad = 0; quad < 4; ++quad) {
    float a[8][4], b[4][8], c[8][8];
    for (uint number = 0; number < 8; ++number) {
      const uint x = number % 4, upper = number / 4 * 4, lane = 4 * quad + x + upper * 4;
      for (uint i = 0; i < 4; ++i) {
        *(columns & 1 ? &a[i + upper][x] : &a[x + upper][i]) = words[32 * (8 + i) + lane];
        *(columns & 2 ? &b[i][x + upper] : &b[x][i + upper]) = words[32 * (12 + i) + lane];
      }
      for (uint i = 0; i < 8; ++i)
        c[us_quad_row(lane, i, pairs & 1)][us_quad_column(lane, i, pairs & 1)] = words[32 * i + lane];
    }
    for (uint row = 0; row < 8; ++row)
      for (uint column = 0; column < 8; ++column)
        for (uint k = 0; k < 4; ++k) c[row][column] = us_fma(a[row][k], b[k][column], c[row][column]);
    for (uint number = 0; number < 8; ++number) {
      const uint lane = 4 * quad + number % 4 + number / 4 * 16;
      for (uint i = 0; i < 8; ++i)
        words[32 * i + lane] = c[us_quad_row(lane, i, pairs & 2)][us_quad_column(lane, i, pairs & 2)];
    }
  }
}
US_CONVERGENT void us_ptx_quads(uint columns, uint pairs) { US_BY_ONE(us_once_quads(US_SLOTS(float), columns, pairs)); }
