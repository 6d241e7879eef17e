// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_subgroup_non_uniform_arithmetic: sub_group_non_uniform_scan_inclusive_*, over those work-items that call it
// together.
#define US_ONE_CALCULATES
#include "emulator/builtins/opencl/subgroup/collective.h"

#define SCAN(T, OPERATION)                                                                                             \
  US_SCAN_SLOTS(T, OPERATION)                                                                                          \
  US_OVERLOAD US_CONVERGENT T sub_group_non_uniform_scan_inclusive_##OPERATION(T x) {                                  \
    return us_scan_##OPERATION(x, true);                                                                               \
  }
US_SUB_GROUP_OPERATIONS(SCAN)
