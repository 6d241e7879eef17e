; Behind a question that all answer alike, within one by which they part: the read is done before both.
; RUN: us-opt -passes=lower_lane_reads -kernel=k -work-dimensions=1 -local-size=64 -sub-group-size=16 %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @k
; CHECK: store i32 %x, ptr addrspace(3) %own
; CHECK: load i32, ptr addrspace(3) %other
; CHECK: br i1 %is.first, label %first, label %end
; CHECK-NOT: load i32
declare i64 @us.local_id(i32)
declare ptr addrspace(3) @us.exchange()
declare i32 @us.lane_word(i32, ptr addrspace(3), ptr addrspace(3))
define spir_kernel void @k(i32 %x, i32 %n, ptr addrspace(1) %out) {
entry:
  %id = call i64 @us.local_id(i32 0)
  %slots = call ptr addrspace(3) @us.exchange()
  %own = getelementptr i32, ptr addrspace(3) %slots, i64 %id
  %number = xor i64 %id, 8
  %other = getelementptr i32, ptr addrspace(3) %slots, i64 %number
  %lane = and i64 %id, 15
  %is.first = icmp ult i64 %lane, 8
  br i1 %is.first, label %first, label %end
first:
  %is.asked = icmp eq i32 %n, 1
  br i1 %is.asked, label %asked, label %end
asked:
  %y = call i32 @us.lane_word(i32 %x, ptr addrspace(3) %own, ptr addrspace(3) %other)
  store i32 %y, ptr addrspace(1) %out
  br label %end
end:
  ret void
}
