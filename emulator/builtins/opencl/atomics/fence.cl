// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fences. A work-group runs on one thread of the host, so towards its own work-items only the compiler must be held
// back; that also covers local memory, which nobody else can see.
#include "emulator/builtins/opencl/atomics/atomics.h"

US_INLINE void us_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope) {
  bool shared = (flags & (CLK_GLOBAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE)) != 0;
  if (shared && (scope == memory_scope_device || scope == memory_scope_all_svm_devices))
    __c11_atomic_thread_fence(order);
  else
    __c11_atomic_signal_fence(order);
}
US_OVERLOAD void atomic_work_item_fence(cl_mem_fence_flags flags, memory_order order, memory_scope scope) {
  us_fence(flags, order, scope);
}
// "Orders loads and stores of a work-item": towards the work-group.
US_OVERLOAD void mem_fence(cl_mem_fence_flags flags) { us_fence(flags, memory_order_acq_rel, memory_scope_work_group); }
US_OVERLOAD void read_mem_fence(cl_mem_fence_flags flags) {
  us_fence(flags, memory_order_acquire, memory_scope_work_group);
}
US_OVERLOAD void write_mem_fence(cl_mem_fence_flags flags) {
  us_fence(flags, memory_order_release, memory_scope_work_group);
}
