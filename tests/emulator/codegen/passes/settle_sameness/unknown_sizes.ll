; Where local sizes are not known, the linear local id is told by its form.
; RUN: us-opt -passes=settle_sameness -kernel=k -work-dimensions=3 -sub-group-size=32 %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @k
; CHECK: call void @use(i32 1)
; CHECK: call void @use(i32 0)
declare i64 @us.local_id(i32)
declare i64 @us.local_size(i32)
declare i32 @us.same_in_sub_group(i64)
declare void @use(i32)
define spir_kernel void @k() {
  %x = call i64 @us.local_id(i32 0)
  %y = call i64 @us.local_id(i32 1)
  %z = call i64 @us.local_id(i32 2)
  %width = call i64 @us.local_size(i32 0)
  %height = call i64 @us.local_size(i32 1)
  %rows.below = mul i64 %z, %height
  %row = add i64 %rows.below, %y
  %items.below = mul i64 %row, %width
  %linear = add i64 %items.below, %x
  %number = udiv i64 %linear, 32
  %same.number = call i32 @us.same_in_sub_group(i64 %number)
  call void @use(i32 %same.number)
  %of.row = and i64 %row, -32
  %same.row = call i32 @us.same_in_sub_group(i64 %of.row)
  call void @use(i32 %same.row)
  ret void
}
