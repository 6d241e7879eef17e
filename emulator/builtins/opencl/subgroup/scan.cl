// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sub_group_scan_inclusive_* and _exclusive_*: add, min, max.
// OpenCL C 3.0, 6.15.19: "These built-in functions must be encountered by all work-items in a subgroup".
#define US_CALLERS US_WHOLE_SUB_GROUP
#include "emulator/builtins/opencl/subgroup/collective.h"

#define SCAN(T, OPERATION)                                                                                             \
  US_SCAN_SLOTS(T, OPERATION)                                                                                          \
  US_OVERLOAD US_CONVERGENT T sub_group_scan_inclusive_##OPERATION(T x) { return us_scan_##OPERATION(x, true); }       \
  US_OVERLOAD US_CONVERGENT T sub_group_scan_exclusive_##OPERATION(T x) { return us_scan_##OPERATION(x, false); }
US_SUB_GROUP_TYPES(SCAN, add)
US_SUB_GROUP_TYPES(SCAN, min)
US_SUB_GROUP_TYPES(SCAN, max)
