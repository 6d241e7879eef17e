; The other kernel and its helper go; what stays loses what would stand in the way of optimising it.
; RUN: us-opt -passes=extract_kernel -kernel=k %s | FileCheck %s

; CHECK-NOT: @other
; CHECK: define dso_local void @k()
; CHECK-NOT: noinline
define spir_kernel void @k() noinline optnone {
  ; CHECK-NEXT: call void @f()
  call spir_func void @f()
  ret void
}

; CHECK: define internal void @f()
define spir_func void @f() {
  %i = call i64 @us.local_id(i32 0)
  ret void
}

define spir_kernel void @other() {
  call spir_func void @helper_of_other()
  ret void
}

define spir_func void @helper_of_other() { ret void }

; CHECK: declare i64 @us.local_id(i32) [[PURE:#[0-9]+]]
declare i64 @us.local_id(i32)
; CHECK-NOT: helper_of_other
; CHECK: attributes [[PURE]] = { {{.*}}speculatable willreturn memory(none) }
