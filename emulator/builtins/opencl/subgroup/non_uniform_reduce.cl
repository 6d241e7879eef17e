// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_subgroup_non_uniform_arithmetic: sub_group_non_uniform_reduce_*, over those work-items that call it together.
#include "emulator/builtins/opencl/subgroup/collective.h"

#define REDUCE(T, OPERATION)                                                                                           \
  US_REDUCE_SLOTS(T, OPERATION)                                                                                        \
  US_OVERLOAD US_CONVERGENT T sub_group_non_uniform_reduce_##OPERATION(T x) {                                          \
    return us_reduce_##OPERATION(x, us_sub_group_size());                                                              \
  }
US_SUB_GROUP_OPERATIONS(REDUCE)
