// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sub_group_reduce_add, _min, _max; sub_group_all, sub_group_any.
// OpenCL C 3.0, 6.15.19: "These built-in functions must be encountered by all work-items in a subgroup".
#define US_CALLERS US_WHOLE_SUB_GROUP
#include "emulator/builtins/opencl/subgroup/collective.h"

#define REDUCE(T, OPERATION)                                                                                           \
  US_REDUCE_SLOTS(T, OPERATION)                                                                                        \
  US_OVERLOAD US_CONVERGENT T sub_group_reduce_##OPERATION(T x) {                                                      \
    return us_reduce_##OPERATION(x, us_sub_group_size());                                                              \
  }
US_SUB_GROUP_TYPES(REDUCE, add)
US_SUB_GROUP_TYPES(REDUCE, min)
US_SUB_GROUP_TYPES(REDUCE, max)

US_OVERLOAD US_CONVERGENT int sub_group_all(int predicate) {
  if (us_side_by_side()) return us_votes(predicate == 0) == 0;
  return us_reduce_min(predicate != 0 ? 1 : 0, us_sub_group_size());
}
US_OVERLOAD US_CONVERGENT int sub_group_any(int predicate) {
  if (us_side_by_side()) return us_votes(predicate != 0) != 0;
  return us_reduce_max(predicate != 0 ? 1 : 0, us_sub_group_size());
}
