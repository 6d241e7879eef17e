// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// work_group_broadcast: the value of the work-item with the given local id.
#include "emulator/builtins/opencl/workgroup/collective.h"

#define BROADCAST(T, ...)                                                                                              \
  US_INLINE T us_group_broadcast(T x, bool mine) {                                                                     \
    __local T *value = (__local T *)us_group_slots();                                                                  \
    if (mine) *value = x;                                                                                              \
    us_group_wait();                                                                                                   \
    T result = *value;                                                                                                 \
    us_group_wait();                                                                                                   \
    return result;                                                                                                     \
  }                                                                                                                    \
  US_OVERLOAD US_CONVERGENT T work_group_broadcast(T x, size_t i) {                                                    \
    return us_group_broadcast(x, us_local_id(0) == i);                                                                 \
  }                                                                                                                    \
  US_OVERLOAD US_CONVERGENT T work_group_broadcast(T x, size_t i, size_t j) {                                          \
    return us_group_broadcast(x, us_local_id(0) == i && us_local_id(1) == j);                                          \
  }                                                                                                                    \
  US_OVERLOAD US_CONVERGENT T work_group_broadcast(T x, size_t i, size_t j, size_t k) {                                \
    return us_group_broadcast(x, us_local_id(0) == i && us_local_id(1) == j && us_local_id(2) == k);                   \
  }
US_GROUP_TYPES(BROADCAST, )
