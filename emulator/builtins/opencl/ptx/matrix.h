// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices that the threads of a warp hold together. Register r of lane l is word 32 * r + l of the warp's exchange
// memory, which holds 32 of them. All threads of the warp come here (mma and the like are .aligned), so no thread's
// slot is in use for anything else.
#pragma once
#define US_CALLERS (CLK_LOCAL_MEM_FENCE | US_FOR_WHOLE_SUB_GROUP)
#include "emulator/builtins/opencl/ptx/ptx.h"
#include "emulator/builtins/opencl/subgroup/collective.h"

// What is calculated once for the warp. Where its threads are a vector, a call with the same arguments for all is one
// call: codegen knows such functions by their names (docs/ir-conventions.md). Calling it again changes
// nothing.
#define US_ONCE static __attribute__((cold)) void
#define US_BY_ONE(call)                                                                                                \
  us_callers();                                                                                                        \
  if (us_side_by_side() || us_sub_group_lane() == 0) call;                                                             \
  us_participants()

// Indices that transpose the four 4x4 blocks of four vectors of 16.
#define US_LOWER(x, y) __builtin_shufflevector(x, y, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define US_UPPER(x, y) __builtin_shufflevector(x, y, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#define US_FIRST(x, y) __builtin_shufflevector(x, y, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29)
#define US_SECOND(x, y) __builtin_shufflevector(x, y, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31)
#define US_TRANSPOSE(T, x0, x1, x2, x3)                                                                                \
  {                                                                                                                    \
    const T p0 = US_LOWER(x0, x1), p1 = US_UPPER(x0, x1), q0 = US_LOWER(x2, x3), q1 = US_UPPER(x2, x3);                \
    x0 = US_FIRST(p0, q0), x1 = US_SECOND(p0, q0), x2 = US_FIRST(p1, q1), x3 = US_SECOND(p1, q1);                      \
  }

// Four columns of 16 rows, and what writes them back. Lane 4 * r + t holds row r of the t-th column in one register,
// and row r + 8 in another; of a matrix of 8 rows both are the same one. In a vector, row 4 * i + j is element
// 4 * j + i.
#define US_ROWS(T, words, low, high, x0, x1, x2, x3)                                                                   \
  T##16 x0 = *(__local T##16 *)((words) + 32 * (low)), x1 = *(__local T##16 *)((words) + 32 * (low) + 16);             \
  T##16 x2 = *(__local T##16 *)((words) + 32 * (high)), x3 = *(__local T##16 *)((words) + 32 * (high) + 16);           \
  US_TRANSPOSE(T##16, x0, x1, x2, x3)
#define US_KEEP_ROWS(T, words, low, high, x0, x1, x2, x3)                                                              \
  {                                                                                                                    \
    US_TRANSPOSE(T##16, x0, x1, x2, x3)                                                                                \
    *(__local T##16 *)((words) + 32 * (high)) = x2, *(__local T##16 *)((words) + 32 * (high) + 16) = x3;               \
    *(__local T##16 *)((words) + 32 * (low)) = x0, *(__local T##16 *)((words) + 32 * (low) + 16) = x1;                 \
  }

// D = A B + C, all of one type T by which words count. A has 8 * `halves` rows, B has 8 columns. A and B come by
// chunks of 4 * E columns of A, rows of B: t holds E of them next to each other, each in a register. Registers of A:
// chunk, upper or lower 8 rows, element; of B: chunk, element; of C and D: upper or lower rows, one of two columns.
// Each element of D is one chain of ADD, with k ascending. Four columns at a time: with 16 rows, they are all that
// registers of 256 bits hold.
#define US_MOST_COLUMNS 32
#define US_MULTIPLY_ONCE(name, T, E, ADD)                                                                              \
  US_ONCE us_once_##name##_##E(__local T *words, uint a, uint b, uint c, uint chunks, uint halves) {                   \
    const uint upper = halves == 2 ? 2 : 0, step = halves == 2 ? E : 0;                                                \
    T##16 x[US_MOST_COLUMNS];                                                                                          \
    const __local T *low = words + 32 * a;                                                                             \
    for (uint chunk = 0; chunk < chunks; ++chunk, low += 32 * E * halves)                                              \
      for (uint i = 0; i < E; ++i) {                                                                                   \
        US_ROWS(T, low, i, step + i, x0, x1, x2, x3)                                                                   \
        T##16 *to = x + 4 * E * chunk + i;                                                                             \
        to[0] = x0, to[E] = x1, to[2 * E] = x2, to[3 * E] = x3;                                                        \
      }                                                                                                                \
    for (uint odd = 0; odd < 2; ++odd) {                                                                               \
      US_ROWS(T, words, c + odd, c + odd + upper, s0, s2, s4, s6)                                                      \
      const __local T *row = words + 32 * b + 4 * odd;                                                                 \
      const T##16 *rows = x;                                                                                           \
      for (uint chunk = 0; chunk < chunks; ++chunk, row += 32 * E)                                                     \
        for (uint t = 0; t < 4; ++t)                                                                                   \
          for (uint i = 0; i < E; ++i, ++rows) {                                                                       \
            const __local T *y = row + 32 * i + t;                                                                     \
            s0 = ADD(*rows, y[0], s0), s2 = ADD(*rows, y[8], s2);                                                      \
            s4 = ADD(*rows, y[16], s4), s6 = ADD(*rows, y[24], s6);                                                    \
          }                                                                                                            \
      US_KEEP_ROWS(T, words, c + odd, c + odd + upper, s0, s2, s4, s6)                                                 \
    }                                                                                                                  \
  }
#define US_MULTIPLY(name, T, E, ADD)                                                                                   \
  US_MULTIPLY_ONCE(name, T, E, ADD)                                                                                    \
  US_CONVERGENT void us_ptx_##name##_##E(uint a, uint b, uint c, uint chunks, uint halves) {                           \
    US_BY_ONE(us_once_##name##_##E(US_SLOTS(T), a, b, c, chunks, halves));                                             \
  }

// The same where 16 rows are a register or two and the warp is a vector, of the shapes that are asked for most (16
// rows, two chunks): without a loop, and if 16 rows are one register all columns at once, in which no sum waits. A
// function us_lanes_f of the warp's threads calls us_wide_f, of all threads' values and without the last argument,
// which says what part of the result each gets: codegen makes one call of it (docs/ir-conventions.md). So C and D stay
// in registers.
#define US_LANES static __attribute__((cold))
typedef float us_warp_float __attribute__((ext_vector_type(32)));
typedef float us_pair_float __attribute__((ext_vector_type(64)));
typedef float us_tile_float __attribute__((ext_vector_type(128)));
#define US_16(first)                                                                                                   \
  (first), (first) + 1, (first) + 2, (first) + 3, (first) + 4, (first) + 5, (first) + 6, (first) + 7, (first) + 8,     \
      (first) + 9, (first) + 10, (first) + 11, (first) + 12, (first) + 13, (first) + 14, (first) + 15
#define US_32(first) US_16(first), US_16((first) + 16)
#define US_64(first) US_32(first), US_32((first) + 32)
#define US_BELOW(x) __builtin_shufflevector(x, x, US_16(0))
#define US_ABOVE(x) __builtin_shufflevector(x, x, US_16(16))
#define US_JOIN(size, x, y) __builtin_shufflevector(x, y, US_##size(0), US_##size(size))
US_INLINE bool us_matrix_is_wide(void) { return us_side_by_side() && us_register_bits() >= 256; }

// Registers of row r and row r + 8 become columns, two in each, and the other way round.
US_LANES us_pair_float us_wide_matrix_rows(us_warp_float low, us_warp_float high) {
  float16 x0 = US_BELOW(low), x1 = US_ABOVE(low), x2 = US_BELOW(high), x3 = US_ABOVE(high);
  US_TRANSPOSE(float16, x0, x1, x2, x3)
  const us_warp_float first = US_JOIN(16, x0, x1), second = US_JOIN(16, x2, x3);
  return US_JOIN(32, first, second);
}
US_LANES float us_lanes_matrix_rows(float low, float high, uint part) {
  return us_wide_matrix_rows((us_warp_float)low, (us_warp_float)high)[32 * part];
}

#define US_EVEN_COLUMNS(ADD, x, y)                                                                                     \
  s0 = ADD(x, (y)[0], s0), s2 = ADD(x, (y)[8], s2), s4 = ADD(x, (y)[16], s4), s6 = ADD(x, (y)[24], s6);
#define US_ODD_COLUMNS(ADD, x, y)                                                                                      \
  s1 = ADD(x, (y)[4], s1), s3 = ADD(x, (y)[12], s3), s5 = ADD(x, (y)[20], s5), s7 = ADD(x, (y)[28], s7);
#define US_ALL_COLUMNS(ADD, x, y) US_EVEN_COLUMNS(ADD, x, y) US_ODD_COLUMNS(ADD, x, y)
#define US_STEP(COLUMNS, ADD, a, b)                                                                                    \
  {                                                                                                                    \
    const float16 column = *(const __local float16 *)(a);                                                              \
    COLUMNS(ADD, column, b)                                                                                            \
  }
// A chunk whose threads hold one element each, or two. A is in columns.
#define US_CHUNK_1(COLUMNS, ADD, a, b)                                                                                 \
  US_STEP(COLUMNS, ADD, a, b)                                                                                          \
  US_STEP(COLUMNS, ADD, (a) + 16, (b) + 1)                                                                             \
  US_STEP(COLUMNS, ADD, (a) + 32, (b) + 2)                                                                             \
  US_STEP(COLUMNS, ADD, (a) + 48, (b) + 3)
#define US_CHUNK_2(COLUMNS, ADD, a, b)                                                                                 \
  US_STEP(COLUMNS, ADD, a, b)                                                                                          \
  US_STEP(COLUMNS, ADD, (a) + 32, (b) + 32)                                                                            \
  US_STEP(COLUMNS, ADD, (a) + 16, (b) + 1)                                                                             \
  US_STEP(COLUMNS, ADD, (a) + 48, (b) + 33)                                                                            \
  US_STEP(COLUMNS, ADD, (a) + 64, (b) + 2)                                                                             \
  US_STEP(COLUMNS, ADD, (a) + 96, (b) + 34)                                                                            \
  US_STEP(COLUMNS, ADD, (a) + 80, (b) + 3)                                                                             \
  US_STEP(COLUMNS, ADD, (a) + 112, (b) + 35)
#define US_CHUNKS_512(E, ADD, a, b)                                                                                    \
  US_CHUNK_##E(US_ALL_COLUMNS, ADD, a, b) US_CHUNK_##E(US_ALL_COLUMNS, ADD, a + 64 * E, b + 32 * E)
// Four columns at a time are all that registers of 256 bits hold.
#define US_CHUNKS_256(E, ADD, a, b)                                                                                    \
  US_CHUNK_##E(US_EVEN_COLUMNS, ADD, a, b) US_CHUNK_##E(US_EVEN_COLUMNS, ADD, a + 64 * E, b + 32 * E)                  \
      US_CHUNK_##E(US_ODD_COLUMNS, ADD, a, b) US_CHUNK_##E(US_ODD_COLUMNS, ADD, a + 64 * E, b + 32 * E)
// C's and D's words are columns: 0 and 2, 4 and 6, 1 and 3, 5 and 7. `d` has the caller's four.
#define US_WIDE_TILE(name, E, ADD, bits)                                                                               \
  US_LANES us_tile_float us_wide_##name##_##E##_##bits(const __local float *a, const __local float *b,                 \
                                                       us_warp_float c0, us_warp_float c4, us_warp_float c1,           \
                                                       us_warp_float c5) {                                             \
    float16 s0 = US_BELOW(c0), s2 = US_ABOVE(c0), s4 = US_BELOW(c4), s6 = US_ABOVE(c4);                                \
    float16 s1 = US_BELOW(c1), s3 = US_ABOVE(c1), s5 = US_BELOW(c5), s7 = US_ABOVE(c5);                                \
    US_CHUNKS_##bits(E, ADD, a, b) c0 = US_JOIN(16, s0, s2), c4 = US_JOIN(16, s4, s6);                                 \
    c1 = US_JOIN(16, s1, s3), c5 = US_JOIN(16, s5, s7);                                                                \
    const us_pair_float even = US_JOIN(32, c0, c4), odd = US_JOIN(32, c1, c5);                                         \
    return US_JOIN(64, even, odd);                                                                                     \
  }                                                                                                                    \
  US_LANES float us_lanes_##name##_##E##_##bits(const __local float *a, const __local float *b, float c0, float c4,    \
                                                float c1, float c5, uint part) {                                       \
    return us_wide_##name##_##E##_##bits(a, b, (us_warp_float)c0, (us_warp_float)c4, (us_warp_float)c1,                \
                                         (us_warp_float)c5)[32 * part];                                                \
  }
#define US_TILE_OF_LANES(product)                                                                                      \
  {                                                                                                                    \
    const float s0 = product(from, times, c0, c4, c1, c5, 0), s4 = product(from, times, c0, c4, c1, c5, 1);            \
    const float s1 = product(from, times, c0, c4, c1, c5, 2), s5 = product(from, times, c0, c4, c1, c5, 3);            \
    d[0] = us_lanes_matrix_rows(s0, s4, 0), d[2] = us_lanes_matrix_rows(s0, s4, 1);                                    \
    d[1] = us_lanes_matrix_rows(s1, s5, 0), d[3] = us_lanes_matrix_rows(s1, s5, 1);                                    \
  }
#define US_MULTIPLY_TILE(name, E, ADD)                                                                                 \
  US_WIDE_TILE(name, E, ADD, 256)                                                                                      \
  US_WIDE_TILE(name, E, ADD, 512)                                                                                      \
  US_CONVERGENT void us_ptx_##name##_tile_##E(uint a, uint b, uint c, __private float *d) {                            \
    __local float *words = US_SLOTS(float);                                                                            \
    if (us_matrix_is_wide()) {                                                                                         \
      us_callers();                                                                                                    \
      const float c0 = us_lanes_matrix_rows(d[0], d[2], 0), c4 = us_lanes_matrix_rows(d[0], d[2], 1);                  \
      const float c1 = us_lanes_matrix_rows(d[1], d[3], 0), c5 = us_lanes_matrix_rows(d[1], d[3], 1);                  \
      const __local float *from = words + 32 * a, *times = words + 32 * b;                                             \
      if (us_register_bits() == 512)                                                                                   \
        US_TILE_OF_LANES(us_lanes_##name##_##E##_512)                                                                  \
      else                                                                                                             \
        US_TILE_OF_LANES(us_lanes_##name##_##E##_256)                                                                  \
    } else {                                                                                                           \
      __local float *own = words + 32 * c + us_sub_group_lane();                                                       \
      for (uint i = 0; i < 4; ++i) own[32 * i] = d[i];                                                                 \
      US_BY_ONE(us_once_##name##_##E(words, a, b, c, 2, 2));                                                           \
      for (uint i = 0; i < 4; ++i) d[i] = own[32 * i];                                                                 \
    }                                                                                                                  \
  }
