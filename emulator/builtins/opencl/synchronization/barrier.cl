// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// barrier, work_group_barrier: execution and memory barriers of the work-group; sub_group_barrier.
#include "emulator/builtins/opencl/support.h"

US_OVERLOAD US_CONVERGENT void barrier(cl_mem_fence_flags flags) { us_barrier(flags, memory_scope_work_group); }
US_OVERLOAD US_CONVERGENT void work_group_barrier(cl_mem_fence_flags flags) {
  us_barrier(flags, memory_scope_work_group);
}
US_OVERLOAD US_CONVERGENT void work_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  us_barrier(flags, scope);
}
US_OVERLOAD US_CONVERGENT void sub_group_barrier(cl_mem_fence_flags flags) {
  us_sub_group_sync(flags | US_FOR_WHOLE_SUB_GROUP, ~0u);
}
US_OVERLOAD US_CONVERGENT void sub_group_barrier(cl_mem_fence_flags flags, memory_scope scope) {
  us_sub_group_sync(flags | US_FOR_WHOLE_SUB_GROUP, ~0u);
}
