; Rows of 8 work-items: two are a sub-group of 16, which has one id of the third dimension, and two of the second.
; RUN: us-opt -passes=settle_sameness -kernel=k -work-dimensions=3 -local-size=8,4,2 -sub-group-size=16 %s | FileCheck %s
; RUN: us-opt -passes=settle_sameness -kernel=k -work-dimensions=3 -local-size=8,4,2 -sub-group-size=16 -ragged %s \
; RUN:   | FileCheck %s --check-prefix=RAGGED

; CHECK-LABEL: define spir_kernel void @k
; CHECK: call void @use(i32 0)
; CHECK: call void @use(i32 1)
; CHECK: call void @use(i32 1)
; CHECK: call void @use(i32 0)
; Rows at an edge may be shorter.
; RAGGED-LABEL: define spir_kernel void @k
; RAGGED-COUNT-4: call void @use(i32 0)
declare i64 @us.local_id(i32)
declare i32 @us.same_in_sub_group(i64)
declare void @use(i32)
define spir_kernel void @k() {
  %x = call i64 @us.local_id(i32 0)
  %y = call i64 @us.local_id(i32 1)
  %z = call i64 @us.local_id(i32 2)
  %same.y = call i32 @us.same_in_sub_group(i64 %y)
  call void @use(i32 %same.y)
  %same.z = call i32 @us.same_in_sub_group(i64 %z)
  call void @use(i32 %same.z)
  %row = shl i64 %y, 3
  %in.plane = add i64 %row, %x
  %plane = mul i64 %z, 32
  %linear = add i64 %plane, %in.plane
  %number = lshr i64 %linear, 4
  %same.number = call i32 @us.same_in_sub_group(i64 %number)
  call void @use(i32 %same.number)
  %column = and i64 %x, -16
  %wrong = add i64 %column, %row
  %same.wrong = call i32 @us.same_in_sub_group(i64 %wrong)
  call void @use(i32 %same.wrong)
  ret void
}
