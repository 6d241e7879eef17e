; RUN: us-opt -passes=split_at_barriers -kernel=k %s | FileCheck %s

declare void @us.barrier(i32, i32)
declare void @us.boundary()

; CHECK-LABEL: @k
define void @k(ptr %p) {
  ; CHECK: store i32 1
  ; CHECK-NEXT: br label %barrier
  store i32 1, ptr %p
  ; CHECK: barrier:
  ; CHECK-NEXT: call void @us.barrier(i32 1, i32 1)
  ; CHECK-NEXT: br label %after.barrier
  call void @us.barrier(i32 1, i32 1)
  ; CHECK: after.barrier:
  ; CHECK-NEXT: store i32 2
  store i32 2, ptr %p
  ; CHECK: boundary:
  ; CHECK-NEXT: call void @us.boundary()
  call void @us.boundary()
  ret void
}
