; The lanes of a sub-group are in step, and local memory is theirs alone: what is volatile there is accessed as a vector.
; Other volatile memory is accessed lane by lane.
; RUN: us-opt -passes=vectorize_work_items -kernel=k %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: items.wide:
; CHECK-NOT: volatile
; CHECK: masked.gather.v32i32.v32p3
; CHECK-COUNT-32: store volatile i32 {{.*}}, ptr addrspace(1)
; CHECK-NOT: volatile
; CHECK: masked.scatter.v32i32.v32p3
; CHECK: rest:
declare i32 @us.sub_group_sync(i32, i32) convergent
define void @k(ptr addrspace(3) %local_memory, ptr addrspace(1) %out) {
entry:
  br label %items
items:
  %local = phi i32 [ 0, %entry ], [ %next, %items ]
  %there = call i32 @us.sub_group_sync(i32 1, i32 -1)
  %place = getelementptr i32, ptr addrspace(3) %local_memory, i32 %local
  %value = load volatile i32, ptr addrspace(3) %place
  %more_of_it = add i32 %value, 1
  %to = getelementptr i32, ptr addrspace(1) %out, i32 %local
  store volatile i32 %more_of_it, ptr addrspace(1) %to
  store volatile i32 %more_of_it, ptr addrspace(3) %place
  %next = add nuw nsw i32 %local, 1
  %more = icmp ult i32 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
