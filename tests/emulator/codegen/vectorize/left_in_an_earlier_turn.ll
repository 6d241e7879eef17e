; Some work-items leave the loop by its end, in earlier turns than the last, and the others at its beginning, where its
; rest is jumped over: what is behind the other exit is still to come then.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: br i1 %any{{[0-9]*}}, label %rest.wide, label %seldom.any
; CHECK: seldom.any:
; CHECK: br i1 %any{{[0-9]*}}, label %seldom.wide, label %end
define void @k(ptr %in, ptr %out, ptr %count) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %from = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %from
  br label %turn
turn:
  %turns = phi i32 [ 0, %items ], [ %one, %rest ]
  %last = icmp eq i32 %turns, %x
  br i1 %last, label %end, label %rest
rest:
  %one = add i32 %turns, 1
  %before = atomicrmw add ptr %count, i32 1 monotonic
  %stops = icmp slt i32 %x, 7
  br i1 %stops, label %seldom, label %turn
seldom:
  %other = atomicrmw add ptr %count, i32 100 monotonic
  br label %end
end:
  %found = phi i32 [ %turns, %turn ], [ %other, %seldom ]
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %found, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
