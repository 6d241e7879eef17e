; A read of what is known before the sub-group parts is done before that, so that the others come, too; what its places are
; made of goes with it.
; RUN: us-opt -passes=lower_lane_reads -kernel=k -work-dimensions=1 -local-size=64 -sub-group-size=16 %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @k
; CHECK: %other = getelementptr
; CHECK-NEXT: store i32 %x, ptr addrspace(3) %own
; CHECK-NEXT: call i32 @us.sub_group_sync(i32 1, i32 -1)
; CHECK-NEXT: [[Y:%.*]] = load i32, ptr addrspace(3) %other
; CHECK-NEXT: call i32 @us.sub_group_sync(i32 1, i32 -1)
; CHECK-NEXT: br i1 %is.first, label %first, label %end
; CHECK: first:
; CHECK-NEXT: store i32 [[Y]], ptr addrspace(1) %out
declare i64 @us.local_id(i32)
declare ptr addrspace(3) @us.exchange()
declare i32 @us.lane_word(i32, ptr addrspace(3), ptr addrspace(3))
define spir_kernel void @k(i32 %x, ptr addrspace(1) %out) {
entry:
  %id = call i64 @us.local_id(i32 0)
  %slots = call ptr addrspace(3) @us.exchange()
  %own = getelementptr i32, ptr addrspace(3) %slots, i64 %id
  %lane = and i64 %id, 15
  %is.first = icmp ult i64 %lane, 8
  br i1 %is.first, label %first, label %end
first:
  %number = xor i64 %id, 8
  %other = getelementptr i32, ptr addrspace(3) %slots, i64 %number
  %y = call i32 @us.lane_word(i32 %x, ptr addrspace(3) %own, ptr addrspace(3) %other)
  store i32 %y, ptr addrspace(1) %out
  br label %end
end:
  ret void
}
