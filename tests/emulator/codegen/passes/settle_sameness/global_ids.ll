; A global id is the local one and a multiple of the group's size, if the launch has no offset: what of it is the same
; for a sub-group is known as of the local one, where this multiple is one of the sub-group's size.
; RUN: us-opt -passes=settle_sameness -kernel=k -work-dimensions=1 -local-size=64 -zero-offset -sub-group-size=16 %s \
; RUN:   | FileCheck %s --check-prefix=WHOLE
; RUN: us-opt -passes=settle_sameness -kernel=k -work-dimensions=1 -local-size=24 -zero-offset -sub-group-size=16 %s \
; RUN:   | FileCheck %s --check-prefix=PARTED
; RUN: us-opt -passes=settle_sameness -kernel=k -work-dimensions=1 -local-size=64 -sub-group-size=16 %s \
; RUN:   | FileCheck %s --check-prefix=PARTED

; WHOLE: call void @use(i32 1)
; PARTED: call void @use(i32 0)
declare i64 @us.global_id(i32)
declare i32 @us.same_in_sub_group(i64)
declare void @use(i32)
define spir_kernel void @k() {
  %id = call i64 @us.global_id(i32 0)
  %number = lshr i64 %id, 4
  %same = call i32 @us.same_in_sub_group(i64 %number)
  call void @use(i32 %same)
  ret void
}
