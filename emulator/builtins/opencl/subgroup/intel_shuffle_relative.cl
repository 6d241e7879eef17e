// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_intel_subgroups, _short, _char: intel_sub_group_shuffle_up and _down, which see two values of each work-item as if
// a second sub-group came before or behind this one: "the value of the next data source for the work item with
// sub_group_local_id equal to the shuffle index minus the max_sub_group_size".
#include "emulator/builtins/opencl/subgroup/collective.h"

#define SHUFFLE(T)                                                                                                     \
  US_INLINE US_CONVERGENT T us_of_two(T first, T second, uint index) {                                                 \
    T a = us_read_lane(first, index & (us_sub_group_size() - 1)),                                                      \
      b = us_read_lane(second, index & (us_sub_group_size() - 1));                                                     \
    return index < us_sub_group_size() ? a : b;                                                                        \
  }                                                                                                                    \
  US_OVERLOAD US_CONVERGENT T intel_sub_group_shuffle_down(T current, T next, uint delta) {                            \
    return us_of_two(current, next, us_sub_group_lane() + delta);                                                      \
  }                                                                                                                    \
  US_OVERLOAD US_CONVERGENT T intel_sub_group_shuffle_up(T previous, T current, uint delta) {                          \
    return us_of_two(previous, current, us_sub_group_lane() + us_sub_group_size() - delta);                            \
  }
#include "emulator/builtins/opencl/subgroup/intel_types.h"
