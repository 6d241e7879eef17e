// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_subgroup_shuffle, _shuffle_relative, _rotate: the value of the work-item with another sub-group local id. Ids
// beyond the sub-group are undefined: ours give the caller's own value.
#include "emulator/builtins/opencl/subgroup/collective.h"

#define SHUFFLE(T, ...)                                                                                                \
  US_OVERLOAD US_CONVERGENT T sub_group_shuffle(T x, uint index) { return us_read_lane(x, index); }                    \
  US_OVERLOAD US_CONVERGENT T sub_group_shuffle_xor(T x, uint mask) {                                                  \
    return us_read_lane(x, us_sub_group_lane() ^ mask);                                                                \
  }                                                                                                                    \
  US_OVERLOAD US_CONVERGENT T sub_group_shuffle_up(T x, uint delta) {                                                  \
    return us_read_lane(x, us_sub_group_lane() - delta);                                                               \
  }                                                                                                                    \
  US_OVERLOAD US_CONVERGENT T sub_group_shuffle_down(T x, uint delta) {                                                \
    return us_read_lane(x, us_sub_group_lane() + delta);                                                               \
  }                                                                                                                    \
  US_OVERLOAD US_CONVERGENT T sub_group_rotate(T x, int delta) {                                                       \
    return us_read_lane(x, (us_sub_group_lane() + (uint)delta) & (us_sub_group_size() - 1));                           \
  }                                                                                                                    \
  US_OVERLOAD US_CONVERGENT T sub_group_clustered_rotate(T x, int delta, uint size) {                                  \
    uint lane = us_sub_group_lane();                                                                                   \
    return us_read_lane(x, (lane & ~(size - 1)) + ((lane + (uint)delta) & (size - 1)));                                \
  }
US_SUB_GROUP_TYPES(SHUFFLE, )
