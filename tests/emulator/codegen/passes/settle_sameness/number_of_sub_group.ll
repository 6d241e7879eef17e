; The number of a sub-group, its beginning and its end are the same for all of it, and so are sums of them with what all
; share; the place in it is not.
; RUN: us-opt -passes=settle_sameness -kernel=k -work-dimensions=1 -local-size=64 -sub-group-size=16 %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @k
; CHECK: call void @use(i32 1)
; CHECK: call void @use(i32 1)
; CHECK: call void @use(i32 0)
; CHECK: call void @use(i32 0)
; CHECK: call void @use(i32 1)
; CHECK: call void @use(i32 0)
declare i64 @us.local_id(i32)
declare i32 @us.same_in_sub_group(i64)
declare void @use(i32)
define spir_kernel void @k(i64 %base) {
  %id = call i64 @us.local_id(i32 0)
  %short = trunc i64 %id to i32
  %number = lshr i32 %short, 4
  %long = zext i32 %number to i64
  %address = add i64 %base, %long
  %same = call i32 @us.same_in_sub_group(i64 %address)
  call void @use(i32 %same)
  %first = and i64 %id, -16
  %same.first = call i32 @us.same_in_sub_group(i64 %first)
  call void @use(i32 %same.first)
  %half = and i64 %id, -8
  %same.half = call i32 @us.same_in_sub_group(i64 %half)
  call void @use(i32 %same.half)
  %place = and i64 %id, 15
  %same.place = call i32 @us.same_in_sub_group(i64 %place)
  call void @use(i32 %same.place)
  %bytes = shl i64 %id, 2
  %last = or i64 %bytes, 60
  %same.last = call i32 @us.same_in_sub_group(i64 %last)
  call void @use(i32 %same.last)
  %last.four = or i64 %bytes, 48
  %same.four = call i32 @us.same_in_sub_group(i64 %last.four)
  call void @use(i32 %same.four)
  ret void
}
