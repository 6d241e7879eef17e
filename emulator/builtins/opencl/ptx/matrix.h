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

// The same where 16 rows are one register: of the shapes that are asked for most all columns at once, in which no sum
// waits for the one before, and without a loop.
#define US_CHUNKS 2
#define US_ALL_COLUMNS(ADD, x, y)                                                                                      \
  s0 = ADD(x, (y)[0], s0), s1 = ADD(x, (y)[4], s1), s2 = ADD(x, (y)[8], s2), s3 = ADD(x, (y)[12], s3),                 \
  s4 = ADD(x, (y)[16], s4), s5 = ADD(x, (y)[20], s5), s6 = ADD(x, (y)[24], s6), s7 = ADD(x, (y)[28], s7)
// A chunk whose threads hold one element each, or two.
#define US_CHUNK_1(T, ADD, a, b)                                                                                       \
  {                                                                                                                    \
    US_ROWS(T, a, 0, 1, x0, x1, x2, x3);                                                                               \
    US_ALL_COLUMNS(ADD, x0, b), US_ALL_COLUMNS(ADD, x1, (b) + 1);                                                      \
    US_ALL_COLUMNS(ADD, x2, (b) + 2), US_ALL_COLUMNS(ADD, x3, (b) + 3);                                                \
  }
#define US_CHUNK_2(T, ADD, a, b)                                                                                       \
  {                                                                                                                    \
    US_ROWS(T, a, 0, 2, x0, x2, x4, x6);                                                                               \
    US_ROWS(T, a, 1, 3, x1, x3, x5, x7);                                                                               \
    US_ALL_COLUMNS(ADD, x0, b), US_ALL_COLUMNS(ADD, x1, (b) + 32);                                                     \
    US_ALL_COLUMNS(ADD, x2, (b) + 1), US_ALL_COLUMNS(ADD, x3, (b) + 33);                                               \
    US_ALL_COLUMNS(ADD, x4, (b) + 2), US_ALL_COLUMNS(ADD, x5, (b) + 34);                                               \
    US_ALL_COLUMNS(ADD, x6, (b) + 3), US_ALL_COLUMNS(ADD, x7, (b) + 35);                                               \
  }
#define US_MULTIPLY_WHOLE(name, T, E, ADD)                                                                             \
  US_MULTIPLY_ONCE(name, T, E, ADD)                                                                                    \
  US_ONCE us_once_whole_##name##_##E(const __local T *a, const __local T *b, __local T *c) {                           \
    US_ROWS(T, c, 0, 2, s0, s2, s4, s6);                                                                               \
    US_ROWS(T, c, 1, 3, s1, s3, s5, s7);                                                                               \
    US_CHUNK_##E(T, ADD, a, b);                                                                                        \
    US_CHUNK_##E(T, ADD, a + 64 * E, b + 32 * E);                                                                      \
    US_KEEP_ROWS(T, c, 0, 2, s0, s2, s4, s6);                                                                          \
    US_KEEP_ROWS(T, c, 1, 3, s1, s3, s5, s7);                                                                          \
  }                                                                                                                    \
  US_CONVERGENT void us_ptx_##name##_##E(uint a, uint b, uint c, uint chunks, uint halves) {                           \
    __local T *words = US_SLOTS(T);                                                                                    \
    if (us_register_bits() == 512 && chunks == US_CHUNKS && halves == 2) {                                             \
      US_BY_ONE(us_once_whole_##name##_##E(words + 32 * a, words + 32 * b, words + 32 * c));                           \
    } else {                                                                                                           \
      US_BY_ONE(us_once_##name##_##E(words, a, b, c, chunks, halves));                                                 \
    }                                                                                                                  \
  }
