// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// get_fence and the functions behind to_global, to_local, to_private (Clang calls them by these names). Memory is flat
// and a generic pointer does not say where it points: the casts give the pointer back, also where the specification
// wants NULL, and the fence covers both memories.
#include "emulator/builtins/opencl/support.h"

__global void *us_to_global(__generic void *p) __asm("__to_global");
__local void *us_to_local(__generic void *p) __asm("__to_local");
__private void *us_to_private(__generic void *p) __asm("__to_private");
__global void *us_to_global(__generic void *p) { return (__global void *)p; }
__local void *us_to_local(__generic void *p) { return (__local void *)p; }
__private void *us_to_private(__generic void *p) { return (__private void *)p; }

US_OVERLOAD cl_mem_fence_flags get_fence(__generic void *p) { return CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE; }
US_OVERLOAD cl_mem_fence_flags get_fence(const __generic void *p) { return CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE; }
