; The kind of a check is a constant.
; RUN: not us-opt -passes=retarget_module,verify_kernel_ir %s 2>&1 | FileCheck %s
declare void @us.check(i32, i64)
; CHECK: kernel IR: a check of 'variable' is of no known kind
define void @variable(i32 %kind, i64 %bits) {
  call void @us.check(i32 %kind, i64 %bits)
  ret void
}
