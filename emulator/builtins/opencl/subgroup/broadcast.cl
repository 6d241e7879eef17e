// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sub_group_broadcast, and of cl_khr_subgroup_ballot sub_group_non_uniform_broadcast and sub_group_broadcast_first.
#include "emulator/builtins/opencl/subgroup/collective.h"

#define BROADCAST(T)                                                                                                   \
  US_OVERLOAD US_CONVERGENT T sub_group_broadcast(T x, uint from) {                                                    \
    return us_lane_of(x, from, US_WHOLE_SUB_GROUP);                                                                    \
  }                                                                                                                    \
  US_OVERLOAD US_CONVERGENT T sub_group_non_uniform_broadcast(T x, uint from) { return us_read_lane(x, from); }
#define WIDTHS(T, ...) US_LANE_OF(T) US_VECTORS(US_READ_LANE, T) US_WIDTHS(BROADCAST, T)
US_SUB_GROUP_TYPES(WIDTHS, )

#define FIRST(T, ...)                                                                                                  \
  US_OF_FIRST(T)                                                                                                       \
  US_OVERLOAD US_CONVERGENT T sub_group_broadcast_first(T x) { return us_of_first(x); }
US_SUB_GROUP_TYPES(FIRST, )
