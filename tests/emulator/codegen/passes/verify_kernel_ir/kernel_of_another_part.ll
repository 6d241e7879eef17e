; A kernel that is only declared may be called: linking brings its body, and a copy for the call.
; RUN: us-opt -passes=retarget_module,verify_kernel_ir %s | FileCheck %s
; CHECK: call spir_kernel void @inner()
declare spir_kernel void @inner()
define spir_kernel void @outer() {
  call spir_kernel void @inner()
  ret void
}
