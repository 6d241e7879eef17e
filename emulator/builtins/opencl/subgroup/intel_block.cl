// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_intel_subgroups, _short, _char, _long, cl_intel_subgroup_local_block_io: blocks of buffers and of local memory.
// "The data is read strided, so the first value read is p[sub_group_local_id], and the second value read is
// p[sub_group_local_id + max_sub_group_size]."
#include "emulator/builtins/opencl/subgroup/collective.h"

// A block has one address. Intel's hardware takes that of the first work-item, and programs count on it.
US_OF_FIRST(ulong)
#define US_BLOCK(A, T, p) (us_same_in_sub_group((ulong)(p)) ? (p) : (A T *)us_of_first((ulong)(p)))

#define ONE(A, T, ENDING)                                                                                              \
  US_OVERLOAD US_CONVERGENT T intel_sub_group_block_read##ENDING(A const T *p) {                                       \
    return US_BLOCK(A const, T, p)[us_sub_group_lane()];                                                               \
  }                                                                                                                    \
  US_OVERLOAD US_CONVERGENT void intel_sub_group_block_write##ENDING(A T *p, T data) {                                 \
    US_BLOCK(A, T, p)[us_sub_group_lane()] = data;                                                                     \
  }
#define SEVERAL(A, T, N, ENDING)                                                                                       \
  US_OVERLOAD US_CONVERGENT T##N intel_sub_group_block_read##ENDING##N(A const T *p) {                                 \
    A const T *block = US_BLOCK(A const, T, p);                                                                        \
    T##N data;                                                                                                         \
    for (uint i = 0; i < N; ++i) data[i] = block[us_sub_group_lane() + i * us_sub_group_size()];                       \
    return data;                                                                                                       \
  }                                                                                                                    \
  US_OVERLOAD US_CONVERGENT void intel_sub_group_block_write##ENDING##N(A T *p, T##N data) {                           \
    A T *block = US_BLOCK(A, T, p);                                                                                    \
    for (uint i = 0; i < N; ++i) block[us_sub_group_lane() + i * us_sub_group_size()] = data[i];                       \
  }
#define BLOCKS(A, T, ENDING)                                                                                           \
  ONE(A, T, ENDING) SEVERAL(A, T, 2, ENDING) SEVERAL(A, T, 4, ENDING) SEVERAL(A, T, 8, ENDING)
#define MEMORY(A)                                                                                                      \
  BLOCKS(A, uint, )                                                                                                    \
  BLOCKS(A, uint, _ui)                                                                                                 \
  BLOCKS(A, ulong, _ul)                                                                                                \
  BLOCKS(A, ushort, _us)                                                                                               \
  SEVERAL(A, ushort, 16, _us)                                                                                          \
  BLOCKS(A, uchar, _uc)                                                                                                \
  SEVERAL(A, uchar, 16, _uc)
MEMORY(__global)
MEMORY(__local)
