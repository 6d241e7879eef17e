; The pointer goes elsewhere, or is one of two.
; RUN: us-opt -passes=copy_updated_arguments -kernel=k -copied=15 %s | FileCheck %s

; CHECK-LABEL: define void @k(
; CHECK-NOT: us.private_copy
define void @k(ptr addrspace(1) %stored, ptr addrspace(1) %one, ptr addrspace(1) %two, ptr addrspace(1) %number, i1 %which) {
  %slot = alloca ptr addrspace(1)
  store ptr addrspace(1) %stored, ptr %slot
  %a = atomicrmw add ptr addrspace(1) %stored, i32 1 monotonic
  %either = select i1 %which, ptr addrspace(1) %one, ptr addrspace(1) %two
  %b = atomicrmw add ptr addrspace(1) %either, i32 1 monotonic
  %address = ptrtoint ptr addrspace(1) %number to i64
  %c = atomicrmw add ptr addrspace(1) %number, i64 %address monotonic
  ret void
}
