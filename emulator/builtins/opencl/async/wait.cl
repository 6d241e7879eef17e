// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wait_group_events: every work-item waits until work-item 0 has made the copies. (In OpenCL C 1.x the list is
// private.)
#include "emulator/builtins/opencl/support.h"

US_OVERLOAD US_CONVERGENT void wait_group_events(int count, __generic event_t *events) {
  us_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);
}
US_OVERLOAD US_CONVERGENT void wait_group_events(int count, __private event_t *events) {
  us_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_work_group);
}
