// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// work_group_scan_inclusive_* and _exclusive_*: add, min, max, and those of cl_khr_work_group_uniform_arithmetic.
#include "emulator/builtins/opencl/workgroup/collective.h"

#define SCAN(T, OPERATION)                                                                                             \
  US_TREE_SCAN(__local, T, OPERATION)                                                                                  \
  US_INLINE __local T *us_scanned_##OPERATION(T x) {                                                                   \
    __local T *values = (__local T *)us_group_slots();                                                                 \
    values[us_linear_id()] = x;                                                                                        \
    us_group_wait();                                                                                                   \
    if (us_linear_id() == 0) us_tree_scan_##OPERATION(values, us_group_items());                                       \
    us_group_wait();                                                                                                   \
    return values;                                                                                                     \
  }                                                                                                                    \
  US_OVERLOAD US_CONVERGENT T work_group_scan_inclusive_##OPERATION(T x) {                                             \
    T result = us_scanned_##OPERATION(x)[us_linear_id()];                                                              \
    us_group_wait();                                                                                                   \
    return result;                                                                                                     \
  }                                                                                                                    \
  US_OVERLOAD US_CONVERGENT T work_group_scan_exclusive_##OPERATION(T x) {                                             \
    __local T *values = us_scanned_##OPERATION(x);                                                                     \
    uint id = us_linear_id();                                                                                          \
    T result = US_IDENTITY_##OPERATION(T);                                                                             \
    if (id > 0) result = values[id - 1];                                                                               \
    us_group_wait();                                                                                                   \
    return result;                                                                                                     \
  }
US_GROUP_TYPES(SCAN, add)
US_GROUP_TYPES(SCAN, min)
US_GROUP_TYPES(SCAN, max)
US_GROUP_TYPES(SCAN, mul)
US_GROUP_INTEGERS(SCAN, and)
US_GROUP_INTEGERS(SCAN, or)
US_GROUP_INTEGERS(SCAN, xor)
SCAN(int, logical_and)
SCAN(int, logical_or)
SCAN(int, logical_xor)
