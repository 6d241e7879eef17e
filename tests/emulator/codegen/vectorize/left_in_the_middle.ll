; Work-items part in a loop, meet again, and part where some leave it: where they meet, only those are there that are
; still in the loop. The value behind it is written by all of them, and again by those that go on.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: meeting.wide:
; CHECK: %stops{{.*}} = icmp ugt
; CHECK: [[FOUND:%.*]] = select <16 x i1> %turn.mask{{.*}}, <16 x i32> [[LESS:%.*]], <16 x i32> %found
; CHECK: [[STAYS:%.*]] = select <16 x i1> %turn.mask{{.*}}, <16 x i1> %{{.*}}, <16 x i1> zeroinitializer
; CHECK: again.wide:
; CHECK: select <16 x i1> [[STAYS]], <16 x i32> [[LESS]], <16 x i32> [[FOUND]]
define void @k(ptr %in, ptr %out) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %from = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %from
  br label %turn
turn:
  %rest = phi i32 [ %x, %items ], [ %less, %again ]
  %turns = phi i32 [ 0, %items ], [ %one, %again ]
  %odd = trunc i32 %rest to i1
  br i1 %odd, label %left, label %right
left:
  %a = mul i32 %rest, 3
  br label %meeting
right:
  %b = lshr i32 %rest, 1
  br label %meeting
meeting:
  %less = phi i32 [ %a, %left ], [ %b, %right ]
  %stops = icmp ugt i32 %x, 7
  br i1 %stops, label %end, label %again
again:
  %one = add i32 %turns, 1
  %last = icmp eq i32 %one, 5
  br i1 %last, label %end, label %turn
end:
  %found = phi i32 [ %less, %meeting ], [ %less, %again ]
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
