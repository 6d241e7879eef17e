; A kernel that another calls gets a copy for calls, so that nothing refers to a kernel.
; RUN: us-opt -passes=split_called_kernels %s | FileCheck %s

; CHECK: define spir_kernel void @inner(ptr addrspace(1) %p) !kernel_arg_name
define spir_kernel void @inner(ptr addrspace(1) %p) !kernel_arg_name !0 {
  store i32 1, ptr addrspace(1) %p
  ret void
}

; CHECK: define spir_kernel void @outer
define spir_kernel void @outer(ptr addrspace(1) %p) {
  ; CHECK-NEXT: call spir_func void @inner.callee(ptr addrspace(1) %p)
  call spir_kernel void @inner(ptr addrspace(1) %p)
  ret void
}

; CHECK: define internal spir_func void @inner.callee(ptr addrspace(1) %p) {
; CHECK-NEXT: store i32 1
!0 = !{!"p"}
