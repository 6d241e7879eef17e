; These are left where they are: behind a question that all of a sub-group answer alike, behind the place where they meet
; again, and of what is known only to those that come.
; RUN: us-opt -passes=lower_lane_reads -kernel=k -work-dimensions=1 -local-size=64 -sub-group-size=16 %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @k
; CHECK: br i1 %is.late, label %late, label %apart
; CHECK: late:
; CHECK-NEXT: store i32 %x, ptr addrspace(3) %own
; CHECK: br i1 %is.first, label %first, label %meet
; CHECK: first:
; CHECK-NEXT: %loaded = load i32, ptr addrspace(1) %in
; CHECK-NEXT: store i32 %loaded, ptr addrspace(3) %own
; CHECK: meet:
; CHECK-NEXT: br i1 %is.late, label %again, label %end
; CHECK: again:
; CHECK-NEXT: store i32 %x, ptr addrspace(3) %own
declare i64 @us.local_id(i32)
declare ptr addrspace(3) @us.exchange()
declare i32 @us.lane_word(i32, ptr addrspace(3), ptr addrspace(3))
define spir_kernel void @k(i32 %x, ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %id = call i64 @us.local_id(i32 0)
  %slots = call ptr addrspace(3) @us.exchange()
  %own = getelementptr i32, ptr addrspace(3) %slots, i64 %id
  %number = xor i64 %id, 8
  %other = getelementptr i32, ptr addrspace(3) %slots, i64 %number
  %is.late = icmp ugt i64 %id, 31
  br i1 %is.late, label %late, label %apart
late:
  %y = call i32 @us.lane_word(i32 %x, ptr addrspace(3) %own, ptr addrspace(3) %other)
  store i32 %y, ptr addrspace(1) %out
  br label %apart
apart:
  %lane = and i64 %id, 15
  %is.first = icmp ult i64 %lane, 8
  br i1 %is.first, label %first, label %meet
first:
  %loaded = load i32, ptr addrspace(1) %in
  %z = call i32 @us.lane_word(i32 %loaded, ptr addrspace(3) %own, ptr addrspace(3) %other)
  store i32 %z, ptr addrspace(1) %out
  br label %meet
meet:
  br i1 %is.late, label %again, label %end
again:
  %a = call i32 @us.lane_word(i32 %x, ptr addrspace(3) %own, ptr addrspace(3) %other)
  store i32 %a, ptr addrspace(1) %out
  br label %end
end:
  ret void
}
