; A vector is a sub-group. Who came to a wait is who is asked there; the first work-item's lane is 0, and the sub-group's
; number the same for all.
; RUN: us-opt -passes=vectorize_work_items -kernel=k %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: [[HAS:%.*]] = icmp ult <32 x i32>
; CHECK: item.wide:
; CHECK-NEXT: [[ALL:%.*]] = bitcast <32 x i1> [[HAS]] to i32
; CHECK-NEXT: [[NUMBER:%.*]] = lshr i32 %local{{.*}}, 5
; CHECK-NEXT: [[LANE:%.*]] = and i32 %local{{.*}}, 31
; CHECK: [[TO:%.*]] = getelementptr i32, ptr %votes, i32 [[NUMBER]]
; CHECK: say.wide:
; CHECK-NEXT: store i32 [[ALL]], ptr [[TO]]
; CHECK: rest:
declare i32 @us.sub_group_sync(i32, i32) convergent
define void @k(ptr %votes, ptr %in) {
entry:
  br label %items
items:
  %local = phi i32 [ 0, %entry ], [ %next, %latch ]
  %exists = icmp ult i32 %local, 40
  br i1 %exists, label %item, label %latch
item:
  %there = call i32 @us.sub_group_sync(i32 1, i32 -1)
  %number = lshr i32 %local, 5
  %lane = and i32 %local, 31
  %first = icmp eq i32 %lane, 0
  %to = getelementptr i32, ptr %votes, i32 %number
  br i1 %first, label %say, label %latch
say:
  store i32 %there, ptr %to
  br label %latch
latch:
  %next = add nuw nsw i32 %local, 1
  %more = icmp ult i32 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
