; Opaque OpenCL types become plain pointers in signatures, variables and values; arguments keep their metadata.
; RUN: us-opt -passes=retarget_module,verify_kernel_ir %s | FileCheck %s
target triple = "spir64"

; CHECK-NOT: target("spirv
; A local variable begins with nothing, as before.
; CHECK: @local = internal addrspace(3) global ptr undef
@local = internal addrspace(3) global target("spirv.ReserveId") undef, align 8
; CHECK: declare spir_func ptr @_Z21async_work_group_copyPU3AS3fPU3AS1Kfj9ocl_event(ptr addrspace(3), ptr addrspace(1), i64, ptr)
declare spir_func target("spirv.Event") @_Z21async_work_group_copyPU3AS3fPU3AS1Kfj9ocl_event(ptr addrspace(3), ptr addrspace(1), i64, target("spirv.Event"))
; CHECK: declare spir_func void @_Z17wait_group_eventsiP9ocl_event(i32, ptr)
declare spir_func void @_Z17wait_group_eventsiP9ocl_event(i32, ptr)

; CHECK: define spir_func ptr @pass(ptr %e)
define spir_func target("spirv.Event") @pass(target("spirv.Event") %e) {
  ; CHECK-NEXT: ret ptr %e
  ret target("spirv.Event") %e
}

; CHECK: define spir_kernel void @k(ptr addrspace(3) %to, ptr addrspace(1) %from, ptr %sampler) !kernel_arg_name
define spir_kernel void @k(ptr addrspace(3) %to, ptr addrspace(1) %from, target("spirv.Sampler") %sampler) !kernel_arg_name !0 {
  ; CHECK: %slot = alloca ptr, align 8
  %slot = alloca target("spirv.Event"), align 8
  ; CHECK: %e = call spir_func ptr @_Z21async{{.*}}(ptr addrspace(3) %to, ptr addrspace(1) %from, i64 4, ptr null)
  %e = call spir_func target("spirv.Event") @_Z21async_work_group_copyPU3AS3fPU3AS1Kfj9ocl_event(ptr addrspace(3) %to, ptr addrspace(1) %from, i64 4, target("spirv.Event") zeroinitializer)
  ; CHECK: %p = call spir_func ptr @pass(ptr %e)
  %p = call spir_func target("spirv.Event") @pass(target("spirv.Event") %e)
  ; CHECK: store ptr %p, ptr %slot
  store target("spirv.Event") %p, ptr %slot
  call spir_func void @_Z17wait_group_eventsiP9ocl_event(i32 1, ptr %slot)
  ret void
}
!0 = !{!"to", !"from", !"sampler"}
