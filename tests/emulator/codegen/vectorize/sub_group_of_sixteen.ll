; Of a sub-group of 16 a vote has 16 bits, whatever the registers.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -sub-group-size=16 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: items.wide:
; CHECK: %[[VOTES:[0-9]+]] = bitcast <16 x i1> {{.*}} to i16
; CHECK-NEXT: %[[MASK:[0-9]+]] = zext i16 %[[VOTES]] to i32
; CHECK: add i32 %local{{[0-9]*}}, 16
declare i32 @us.sub_group_sync(i32, i32) convergent
declare i32 @us.votes(i32) convergent
define void @k(ptr addrspace(1) %out) {
entry:
  br label %items
items:
  %local = phi i32 [ 0, %entry ], [ %next, %items ]
  %there = call i32 @us.sub_group_sync(i32 1, i32 -1)
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %local
  %value = load i32, ptr addrspace(1) %to
  %votes = call i32 @us.votes(i32 %value)
  store i32 %votes, ptr addrspace(1) %to
  %next = add nuw nsw i32 %local, 1
  %more = icmp ult i32 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
