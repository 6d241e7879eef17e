// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// work_group_reduce_add, _min, _max, and those of cl_khr_work_group_uniform_arithmetic; work_group_all, work_group_any.
#include "emulator/builtins/opencl/workgroup/collective.h"

#define REDUCE(T, OPERATION)                                                                                           \
  US_TREE_REDUCE(__local, T, OPERATION)                                                                                \
  US_OVERLOAD US_CONVERGENT T work_group_reduce_##OPERATION(T x) {                                                     \
    __local T *values = (__local T *)us_group_slots();                                                                 \
    values[us_linear_id()] = x;                                                                                        \
    us_group_wait();                                                                                                   \
    if (us_linear_id() == 0) us_tree_reduce_##OPERATION(values, us_group_items());                                     \
    us_group_wait();                                                                                                   \
    T result = values[0];                                                                                              \
    us_group_wait();                                                                                                   \
    return result;                                                                                                     \
  }
US_GROUP_TYPES(REDUCE, add)
US_GROUP_TYPES(REDUCE, min)
US_GROUP_TYPES(REDUCE, max)
US_GROUP_TYPES(REDUCE, mul)
US_GROUP_INTEGERS(REDUCE, and)
US_GROUP_INTEGERS(REDUCE, or)
US_GROUP_INTEGERS(REDUCE, xor)
REDUCE(int, logical_and)
REDUCE(int, logical_or)
REDUCE(int, logical_xor)

US_OVERLOAD US_CONVERGENT int work_group_all(int predicate) { return work_group_reduce_min(predicate != 0 ? 1 : 0); }
US_OVERLOAD US_CONVERGENT int work_group_any(int predicate) { return work_group_reduce_max(predicate != 0 ? 1 : 0); }
