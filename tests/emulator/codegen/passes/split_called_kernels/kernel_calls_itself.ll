; A kernel that calls itself calls the copy, and the copy calls the copy.
; RUN: us-opt -passes=split_called_kernels %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @k(
; CHECK: call spir_func void @k.callee(
; CHECK-LABEL: define internal spir_func void @k.callee(
; CHECK: call spir_func void @k.callee(
define spir_kernel void @k(i32 %n) {
  %done = icmp eq i32 %n, 0
  br i1 %done, label %end, label %again
again:
  %m = sub i32 %n, 1
  call spir_kernel void @k(i32 %m)
  br label %end
end:
  ret void
}
