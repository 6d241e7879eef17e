// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sub_group_scan_inclusive_* and _exclusive_*: add, min, max.
#include "emulator/builtins/opencl/subgroup/collective.h"

#define SCAN(T, OPERATION)                                                                                             \
  US_SCAN_SLOTS(T, OPERATION)                                                                                          \
  US_OVERLOAD US_CONVERGENT T sub_group_scan_inclusive_##OPERATION(T x) { return us_scan_##OPERATION(x, true); }       \
  US_OVERLOAD US_CONVERGENT T sub_group_scan_exclusive_##OPERATION(T x) { return us_scan_##OPERATION(x, false); }
US_SUB_GROUP_TYPES(SCAN, add)
US_SUB_GROUP_TYPES(SCAN, min)
US_SUB_GROUP_TYPES(SCAN, max)
