// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_intel_subgroups, _short, _char, _long: blocks of buffers. "The data is read strided, so the first value read is
// p[sub_group_local_id], and the second value read is p[sub_group_local_id + max_sub_group_size]."
#include "emulator/builtins/opencl/subgroup/collective.h"

#define ONE(T, ENDING)                                                                                                 \
  US_OVERLOAD T intel_sub_group_block_read##ENDING(__global const T *p) { return p[us_sub_group_lane()]; }             \
  US_OVERLOAD void intel_sub_group_block_write##ENDING(__global T *p, T data) { p[us_sub_group_lane()] = data; }
#define SEVERAL(T, N, ENDING)                                                                                          \
  US_OVERLOAD T##N intel_sub_group_block_read##ENDING##N(__global const T *p) {                                        \
    T##N data;                                                                                                         \
    for (uint i = 0; i < N; ++i) data[i] = p[us_sub_group_lane() + i * us_sub_group_size()];                           \
    return data;                                                                                                       \
  }                                                                                                                    \
  US_OVERLOAD void intel_sub_group_block_write##ENDING##N(__global T *p, T##N data) {                                  \
    for (uint i = 0; i < N; ++i) p[us_sub_group_lane() + i * us_sub_group_size()] = data[i];                           \
  }
#define BLOCKS(T, ENDING) ONE(T, ENDING) SEVERAL(T, 2, ENDING) SEVERAL(T, 4, ENDING) SEVERAL(T, 8, ENDING)
BLOCKS(uint, )
BLOCKS(uint, _ui)
BLOCKS(ulong, _ul)
BLOCKS(ushort, _us)
SEVERAL(ushort, 16, _us)
BLOCKS(uchar, _uc)
SEVERAL(uchar, 16, _uc)
