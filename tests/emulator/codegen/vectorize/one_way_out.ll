; Only some work-items come to a loop, and it has one way out: behind it are all that came in, so nothing of the loop
; remembers who has left it.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: wide:
; CHECK: [[COMES:%.*]] = icmp ne <16 x i32>
; CHECK: turn.wide:
; CHECK-NOT: = or <16 x i1>
; CHECK: br i1 %any, label %turn.wide
; CHECK: select <16 x i1> [[COMES]], <16 x i32> {{.*}}, <16 x i32>
; CHECK: store <16 x i32>
define void @k(ptr %in, ptr %out) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %from = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %from
  %comes = icmp ne i32 %x, 1
  br i1 %comes, label %before, label %end
before:
  br label %turn
turn:
  %rest = phi i32 [ %x, %before ], [ %half, %turn ]
  %count = phi i32 [ 0, %before ], [ %one, %turn ]
  %half = lshr i32 %rest, 1
  %one = add i32 %count, 1
  %stops = icmp eq i32 %half, 0
  br i1 %stops, label %behind, label %turn
behind:
  %turns = phi i32 [ %one, %turn ]
  br label %end
end:
  %found = phi i32 [ 0, %items ], [ %turns, %behind ]
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
