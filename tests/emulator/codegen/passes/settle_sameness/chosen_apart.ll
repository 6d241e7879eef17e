; What work-items choose apart from each other is not the same, though each of the values is; what all choose is.
; RUN: us-opt -passes=settle_sameness -kernel=k -work-dimensions=1 -local-size=64 -sub-group-size=16 %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @k
; CHECK: call void @use(i32 0)
; CHECK: call void @use(i32 1)
declare i64 @us.local_id(i32)
declare i32 @us.same_in_sub_group(i64)
declare void @use(i32)
define spir_kernel void @k(i64 %a, i64 %b) {
entry:
  %id = call i64 @us.local_id(i32 0)
  %number = lshr i64 %id, 4
  %is.odd = trunc i64 %id to i1
  br i1 %is.odd, label %odd, label %even
odd:
  br label %meet
even:
  br label %meet
meet:
  %apart = phi i64 [ %a, %odd ], [ %b, %even ]
  %same.apart = call i32 @us.same_in_sub_group(i64 %apart)
  call void @use(i32 %same.apart)
  %is.late = icmp ugt i64 %number, 1
  br i1 %is.late, label %late, label %end
late:
  br label %end
end:
  %together = phi i64 [ %a, %late ], [ %b, %meet ]
  %same.together = call i32 @us.same_in_sub_group(i64 %together)
  call void @use(i32 %same.together)
  ret void
}
