; Four work-items in a turn of a short loop that stayed scalar; not of one that vectors have, nor of another one if it is
; not known that nothing is left over, nor of one with a call.
; RUN: us-opt -passes=form_long_turns -kernel=k %s | FileCheck %s

; CHECK-LABEL: @k
define void @k(ptr %in, ptr %counts, i64 %n.all) {
entry:
  br label %items
; CHECK: items:
; CHECK-COUNT-4: store atomic i32
; CHECK-NOT: store atomic
; CHECK: rest:
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %from = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %from
  %place = getelementptr i32, ptr %counts, i32 %x
  %old = load atomic i32, ptr %place monotonic, align 4
  %new = add i32 %old, 1
  store atomic i32 %new, ptr %place monotonic, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %rest, !llvm.loop !0
; CHECK: store i32 1
; CHECK-NOT: store i32 1
; CHECK: others:
rest:
  %j = phi i64 [ 0, %items ], [ %after, %rest ]
  %there = getelementptr i32, ptr %in, i64 %j
  store i32 1, ptr %there
  %after = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %after, 64
  br i1 %again, label %rest, label %others, !llvm.loop !2
; CHECK: store i32 2
; CHECK-NOT: store i32 2
; CHECK: calls:
others:
  %n = phi i64 [ 0, %rest ], [ %following, %others ]
  %where = getelementptr i32, ptr %in, i64 %n
  store i32 2, ptr %where
  %following = add nuw nsw i64 %n, 1
  %goes.on = icmp ult i64 %following, %n.all
  br i1 %goes.on, label %others, label %calls
; CHECK: call void @tell
; CHECK-NOT: call void @tell
; CHECK: done:
calls:
  %m = phi i64 [ 0, %others ], [ %later, %calls ]
  call void @tell(i64 %m)
  %later = add nuw nsw i64 %m, 1
  %still = icmp ult i64 %later, 64
  br i1 %still, label %calls, label %done, !llvm.loop !0
done:
  ret void
}
declare void @tell(i64)
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
!2 = distinct !{!2, !1, !3}
!3 = !{!"llvm.loop.isvectorized", i32 1}
