; A neighbor's place within a row: away from its ends the limits do nothing, and the sum does not wrap. Where it is so
; begins and ends with whole vectors.
; RUN: us-opt -passes=split_at_borders -kernel=k %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: [[FROM:%.*]] = and i64 {{.*}}, -16
; CHECK: [[TO:%.*]] = and i64 {{.*}}, -16
; CHECK: [[ENOUGH:%.*]] = add i64 [[FROM]], 64
; CHECK: [[MANY:%.*]] = icmp sge i64 [[TO]], [[ENOUGH]]
; CHECK: %border.from = select i1 [[MANY]], i64 [[FROM]], i64
; CHECK: %border.to = select i1 [[MANY]], i64 [[TO]], i64
; CHECK: part:
; CHECK: %is.last = phi i1 [ false, %entry ], [ true, %part.done ]
; CHECK: items:
; CHECK: call i32 @llvm.smax.i32
; CHECK: call i32 @llvm.smin.i32
; CHECK: items.inside:
; CHECK-NOT: smax
; CHECK-NOT: smin
; CHECK: %left.inside = add nsw i32 %x.inside, -1
; CHECK: sext i32 %left.inside to i64
; CHECK: icmp ult i64 {{.*}}, %border.to
define void @k(ptr %in, ptr %out, i32 %first, i32 %count, i32 %last) {
entry:
  br label %items
items:
  %i = phi i32 [ 0, %entry ], [ %i.next, %items ]
  %x = phi i32 [ %first, %entry ], [ %x.next, %items ]
  %left = add i32 %x, -1
  %low = call i32 @llvm.smax.i32(i32 %left, i32 0)
  %place = call i32 @llvm.smin.i32(i32 %low, i32 %last)
  %index = sext i32 %place to i64
  %from = getelementptr i32, ptr %in, i64 %index
  %value = load i32, ptr %from
  %own = sext i32 %x to i64
  %to = getelementptr i32, ptr %out, i64 %own
  store i32 %value, ptr %to
  %i.next = add nuw nsw i32 %i, 1
  %x.next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %i.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
