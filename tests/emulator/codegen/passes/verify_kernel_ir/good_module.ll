; What keeps the rules passes unchanged.
; RUN: us-opt -passes=retarget_module,verify_kernel_ir %s | FileCheck %s
@scratch = internal addrspace(3) global [64 x float] undef, align 4
declare spir_func i64 @us.local_id(i32)
declare spir_func void @us.barrier(i32, i32)

; CHECK: define spir_kernel void @k
define spir_kernel void @k(ptr addrspace(1) %p) {
  %id = call spir_func i64 @us.local_id(i32 0)
  %element = getelementptr float, ptr addrspace(3) @scratch, i64 %id
  store float 0.0, ptr addrspace(3) %element
  call spir_func void @us.barrier(i32 1, i32 1)
  ret void
}
