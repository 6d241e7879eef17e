// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// get_fence and the functions behind to_global, to_local, to_private (Clang calls them by these names).
#include "emulator/builtins/opencl/support.h"

#define PRIVATE 0
#define GLOBAL 1
#define LOCAL 3
// "Returns a pointer that points to a region in the [...] address space if to_... can cast ptr; otherwise returns
// NULL."
__global void *us_to_global(__generic void *p) __asm("__to_global");
__local void *us_to_local(__generic void *p) __asm("__to_local");
__private void *us_to_private(__generic void *p) __asm("__to_private");
__global void *us_to_global(__generic void *p) { return us_address_space(p) == GLOBAL ? (__global void *)p : 0; }
__local void *us_to_local(__generic void *p) { return us_address_space(p) == LOCAL ? (__local void *)p : 0; }
__private void *us_to_private(__generic void *p) { return us_address_space(p) == PRIVATE ? (__private void *)p : 0; }

// "Returns a valid memory fence value for ptr": private memory needs none, any will do.
US_INLINE cl_mem_fence_flags us_fence_of(const __generic void *p) {
  return us_address_space(p) == LOCAL ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE;
}
US_OVERLOAD cl_mem_fence_flags get_fence(__generic void *p) { return us_fence_of(p); }
US_OVERLOAD cl_mem_fence_flags get_fence(const __generic void *p) { return us_fence_of(p); }
