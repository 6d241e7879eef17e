; The kind of a check is a constant, and one that there is.
; RUN: not us-opt -passes=retarget_module,verify_kernel_ir %s 2>&1 | FileCheck %s
declare void @us.check(i32, i64)
; CHECK: kernel IR: a check of 'unknown' is of no known kind
define void @unknown(i64 %bits) {
  call void @us.check(i32 1000, i64 %bits)
  ret void
}
