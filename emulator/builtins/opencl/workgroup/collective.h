// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collective functions of the work-group: every work-item puts its value into exchange memory, work-item 0 computes,
// all read. The last barrier keeps the memory until everybody has read.
#pragma once
#include "emulator/builtins/opencl/workgroup/tree.h"

#define US_GROUP_INTEGERS(X, ...) X(int, __VA_ARGS__) X(uint, __VA_ARGS__) X(long, __VA_ARGS__) X(ulong, __VA_ARGS__)
#define US_GROUP_TYPES(X, ...)                                                                                         \
  X(int, __VA_ARGS__)                                                                                                  \
  X(uint, __VA_ARGS__)                                                                                                 \
  X(long, __VA_ARGS__) X(ulong, __VA_ARGS__) X(half, __VA_ARGS__) X(float, __VA_ARGS__) X(double, __VA_ARGS__)
// Behind the slots of the sub-groups: some work-items may still be in a function of theirs.
US_INLINE __local void *us_group_slots(void) {
  return (__local char *)us_exchange() + us_enqueued_group_items() * 128u;
}
US_INLINE void us_group_wait(void) { us_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group); }
