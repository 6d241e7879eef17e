// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's bar.red. Threads that have ended count for nothing, so nobody waits for what a certain one does: all who are
// there begin, and each adds its part.
#include "emulator/builtins/opencl/ptx/ptx.h"
#include "emulator/builtins/opencl/workgroup/collective.h"

US_INLINE void us_block_wait(void) {
  us_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);
}

US_CONVERGENT uint us_ptx_barrier_count(uint predicate) {
  __local uint *count = (__local uint *)us_group_slots();
  *count = 0;
  us_group_wait();
  atomic_fetch_add_explicit((volatile __local atomic_uint *)count, predicate, memory_order_relaxed,
                            memory_scope_work_group);
  us_block_wait();
  uint result = *count;
  us_group_wait();
  return result;
}

US_CONVERGENT uint us_ptx_barrier_any(uint predicate) {
  __local uint *any = (__local uint *)us_group_slots();
  *any = 0;
  us_group_wait();
  if (predicate) *any = 1;
  us_block_wait();
  uint result = *any;
  us_group_wait();
  return result;
}

US_CONVERGENT uint us_ptx_barrier_all(uint predicate) { return !us_ptx_barrier_any(!predicate); }
