; A sum that is calculated of the same values on all ways to a block is calculated there, as work-items would choose
; among them. Not a sum of others, of values that are not known there, or of the turn before; and not without barriers.
; RUN: us-opt -passes=rejoin_sums -kernel=k %s | FileCheck %s
; RUN: us-opt -passes=rejoin_sums -kernel=free %s | FileCheck %s --check-prefix=FREE

declare void @us.barrier(i32, i32)
declare i64 @us.local_id(i32) memory(none)

; CHECK-LABEL: @k
; CHECK: meet:
; CHECK-NEXT: %wide = phi i64 [ %c, %above ], [ %e, %below ]
; CHECK-NEXT: %next = add nuw i64 %d, 1
; CHECK: %again = phi i64
define void @k(ptr addrspace(3) %t) {
entry:
  %id = call i64 @us.local_id(i32 0)
  br label %steps
steps:
  %d = phi i64 [ 0, %entry ], [ %next, %meet ]
  %less = icmp ult i64 %id, %d
  br i1 %less, label %above, label %below
above:
  %a = add nuw nsw i64 %d, 1
  %c = add i64 %d, 2
  %at = getelementptr i64, ptr addrspace(3) %t, i64 %a
  store i64 %d, ptr addrspace(3) %at
  br label %meet
below:
  %b = add nuw i64 %d, 1
  %e = add i64 %d, 3
  br label %meet
meet:
  %next = phi i64 [ %a, %above ], [ %b, %below ]
  %wide = phi i64 [ %c, %above ], [ %e, %below ]
  call void @us.barrier(i32 1, i32 1)
  %more = icmp ult i64 %next, %wide
  br i1 %more, label %steps, label %behind
behind:
  %first = add i64 %id, 1
  br label %turns
turns:
  %i = phi i64 [ 0, %behind ], [ %i.next, %turns ]
  %again = phi i64 [ %first, %behind ], [ %g, %turns ]
  %g = add i64 %id, 1
  %i.next = add i64 %i, %again
  %ends = icmp eq i64 %i.next, 7
  br i1 %ends, label %exit, label %turns
exit:
  ret void
}

; FREE-LABEL: @free
; FREE: %next = phi i64
define void @free(i1 %less, i64 %d, ptr %p) {
  br i1 %less, label %above, label %below
above:
  %a = add i64 %d, 1
  br label %meet
below:
  %b = add i64 %d, 1
  br label %meet
meet:
  %next = phi i64 [ %a, %above ], [ %b, %below ]
  store i64 %next, ptr %p
  ret void
}
