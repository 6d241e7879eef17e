; What a loop gives on is one value for each edge to what follows, also where a value of each lane that becomes a
; register has none before the first turn.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: wide.done:
; CHECK: done:
; CHECK: %last = phi i32 [ %{{[a-z0-9.]+}}, %wide.done ], [ %{{[a-z0-9.]+}}, %done.loopexit ]
define void @k(ptr %in, ptr %out) {
entry:
  br label %turns
turns:
  %turn = phi i32 [ 0, %entry ], [ %last, %done ]
  br label %items
items:
  %i = phi i64 [ 0, %turns ], [ %next, %latch ]
  %from = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %from
  %isOdd = trunc i32 %x to i1
  br i1 %isOdd, label %steps, label %latch
steps:
  %step = phi i32 [ 0, %items ], [ %step.next, %steps.latch ]
  %known = phi i32 [ undef, %items ], [ %later, %steps.latch ]
  %isFirst = icmp eq i32 %step, 0
  br i1 %isFirst, label %first, label %steps.latch
first:
  %place = getelementptr i32, ptr %in, i32 %x
  %found = load i32, ptr %place
  br label %steps.latch
steps.latch:
  %later = phi i32 [ %found, %first ], [ %known, %steps ]
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %later, ptr %to
  %step.next = add nuw nsw i32 %step, 1
  %stays = icmp ult i32 %step.next, 3
  br i1 %stays, label %steps, label %latch
latch:
  %result = phi i32 [ %turn, %items ], [ 7, %steps.latch ]
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  %last = phi i32 [ %result, %latch ]
  %again = icmp ult i32 %last, 4
  br i1 %again, label %turns, label %end
end:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
