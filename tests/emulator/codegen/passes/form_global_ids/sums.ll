; A sum of the group's first id and the local id is the global id: in any width and order, for the same dimension and the
; local size that is known. Nothing else is.
; RUN: us-opt -passes=form_global_ids -kernel=k -local-size=256,12 -work-dimensions=2 -small-index -zero-offset %s | FileCheck %s
; RUN: us-opt -passes=form_global_ids -kernel=k -local-size=256,12 -work-dimensions=2 %s | FileCheck %s --check-prefix=OFFSET
; OFFSET-NOT: us.global_id

declare i64 @us.local_id(i32)
declare i64 @us.group_id(i32)
declare void @use(i32, i64, i64, i32, i64)

; CHECK-LABEL: @k
define void @k() {
  %l = call i64 @us.local_id(i32 0), !range !0
  %g = call i64 @us.group_id(i32 0), !range !1
  %l32 = trunc nuw nsw i64 %l to i32
  %g32 = trunc nuw nsw i64 %g to i32
  %first = shl nuw nsw i32 %g32, 8
  ; CHECK: [[X:%.*]] = call i64 @us.global_id(i32 0), !range
  ; CHECK: [[X32:%.*]] = trunc nuw nsw i64 [[X]] to i32
  %x = or disjoint i32 %l32, %first
  %l1 = call i64 @us.local_id(i32 1), !range !2
  %g1 = call i64 @us.group_id(i32 1), !range !3
  %first1 = mul nuw nsw i64 %g1, 12
  ; CHECK: [[Y:%.*]] = call i64 @us.global_id(i32 1), !range
  %y = add nuw nsw i64 %first1, %l1
  ; Of another dimension, of another size, and half of an id:
  ; CHECK: %other = add nuw nsw i64 %first1, %l
  %other = add nuw nsw i64 %first1, %l
  %wrong = shl nuw nsw i32 %g32, 7
  ; CHECK: %half = add nuw nsw i32 %wrong, %l32
  %half = add nuw nsw i32 %wrong, %l32
  %low = trunc i64 %l to i8
  %cut = zext i8 %low to i64
  %wide = shl nuw nsw i64 %g, 8
  ; CHECK: %part = add nuw nsw i64 %wide, %cut
  %part = add nuw nsw i64 %wide, %cut
  ; CHECK: call void @use(i32 [[X32]], i64 [[Y]], i64 %other, i32 %half, i64 %part)
  call void @use(i32 %x, i64 %y, i64 %other, i32 %half, i64 %part)
  ret void
}
!0 = !{i64 0, i64 256}
!1 = !{i64 0, i64 8388608}
!2 = !{i64 0, i64 12}
!3 = !{i64 0, i64 178956971}
