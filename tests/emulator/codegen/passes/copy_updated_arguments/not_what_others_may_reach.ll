; A pointer from memory may be one to the same place.
; RUN: us-opt -passes=copy_updated_arguments -kernel=k -copied=1 %s | FileCheck %s

; CHECK-LABEL: define void @k(
define void @k(ptr addrspace(1) %counts, ptr addrspace(1) %pointers) {
  ; CHECK-NOT: us.private_copy
  %a = atomicrmw add ptr addrspace(1) %counts, i32 1 monotonic
  %pointer = load ptr addrspace(1), ptr addrspace(1) %pointers
  store i32 5, ptr addrspace(1) %pointer
  ret void
}
