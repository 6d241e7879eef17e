; Rows of a constant length: the place is a sum of longer numbers. What may be negative, or may wrap, or has no work-item
; in it, stays.
; RUN: us-opt -passes=extend_index_sums -kernel=k %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: %x = call i64 @us.global_id(i32 0)
; CHECK: %y = call i64 @us.global_id(i32 1)
; CHECK: [[ROW:%.*]] = mul nuw nsw i64 %y, 512
; CHECK: [[INDEX:%.*]] = add nuw nsw i64 [[ROW]], %x
; CHECK: call void @use(i64 [[INDEX]])
; CHECK: [[LESS:%.*]] = sext i32 %less to i64
; CHECK: call void @use(i64 [[LESS]])
; CHECK: [[WRAPS:%.*]] = sext i32 %wraps to i64
; CHECK: call void @use(i64 [[WRAPS]])
; CHECK: [[GIVEN:%.*]] = sext i32 %given to i64
; CHECK: call void @use(i64 [[GIVEN]])
define void @k(i32 %number) {
  %x = call i64 @us.global_id(i32 0), !range !0
  %short.x = trunc i64 %x to i32
  %y = call i64 @us.global_id(i32 1), !range !0
  %short.y = trunc i64 %y to i32
  %row = mul nsw i32 %short.y, 512
  %sum = add nsw i32 %row, %short.x
  %index = sext i32 %sum to i64
  call void @use(i64 %index)
  %less = add nsw i32 %short.x, -1
  %less.index = sext i32 %less to i64
  call void @use(i64 %less.index)
  %wraps = add i32 %short.x, %short.y
  %wraps.index = sext i32 %wraps to i64
  call void @use(i64 %wraps.index)
  %given = add nsw i32 %short.x, %number
  %given.index = sext i32 %given to i64
  call void @use(i64 %given.index)
  ret void
}
declare i64 @us.global_id(i32)
declare void @use(i64)
!0 = !{i64 0, i64 2147483648}
