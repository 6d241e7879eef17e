; Nothing may refer to a kernel (split_called_kernels sees to it).
; RUN: not us-opt -passes=retarget_module,verify_kernel_ir %s 2>&1 | FileCheck %s
; CHECK: kernel IR: kernel 'inner' is called or its address taken
define spir_kernel void @inner() {
  ret void
}
define spir_kernel void @outer() {
  call spir_kernel void @inner()
  ret void
}
