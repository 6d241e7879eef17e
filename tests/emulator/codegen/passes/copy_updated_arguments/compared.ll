; A check asks where in the argument's own memory a count goes, and lets it go to the same place of the thread's copy.
; RUN: us-opt -passes=copy_updated_arguments -kernel=k -copied=1 -checks=memory %s | FileCheck %s
; RUN: us-opt -passes=copy_updated_arguments -kernel=k -copied=1 %s | FileCheck %s -check-prefix=UNCHECKED

; UNCHECKED: atomicrmw add ptr addrspace(1) %place, i32 1 monotonic
; CHECK-LABEL: define void @k(
; CHECK: %counts.copy = load ptr addrspace(1)
define void @k(ptr addrspace(1) %counts, i64 %i, i64 %begin) {
  ; CHECK: [[PLACE:%.*]] = getelementptr i32, ptr addrspace(1) %counts, i64 %i
  %place = getelementptr i32, ptr addrspace(1) %counts, i64 %i
  ; CHECK: ptrtoint ptr addrspace(1) [[PLACE]] to i64
  %address = ptrtoint ptr addrspace(1) %place to i64
  %distance = sub i64 %address, %begin
  %inside = icmp ult i64 %distance, 64
  br i1 %inside, label %count, label %end
count:
  ; CHECK: [[OWN:%.*]] = getelementptr i8, ptr addrspace(1) %counts.copy, i64
  ; CHECK: load i32, ptr addrspace(1) [[OWN]]
  ; CHECK: store i32 {{.*}}, ptr addrspace(1) [[OWN]]
  ; CHECK-NOT: atomicrmw
  %a = atomicrmw add ptr addrspace(1) %place, i32 1 monotonic
  br label %end
end:
  ret void
}
