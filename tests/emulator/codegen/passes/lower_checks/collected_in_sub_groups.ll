; Where work-items wait for their sub-group the loop over them becomes a vector, which has one way out: a check of what only
; the first work-item does is collected, too.
; RUN: us-opt -passes=lower_checks -kernel=k -tier=loop %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"
declare void @us.check(i32, i64)
declare i64 @us.local_id(i32)
declare i32 @us.sub_group_sync(i32, i32) convergent

; CHECK-LABEL: @k
; CHECK:       guarded:
; CHECK-NEXT:  call void @us.check(i32 0, i64 %bits)
; CHECK-NOT:   unreachable
define spir_kernel void @k(i64 %bits) {
  %there = call i32 @us.sub_group_sync(i32 1, i32 -1)
  %id = call i64 @us.local_id(i32 0)
  %first = icmp eq i64 %id, 0
  br i1 %first, label %guarded, label %end
guarded:
  call void @us.check(i32 0, i64 %bits)
  br label %end
end:
  ret void
}
