; The work-items of a sub-group are a number as soon as the kernel is known, in functions that it calls, too.
; RUN: us-opt -passes=extract_kernel -kernel=k -sub-group-size=8 %s | FileCheck %s

; CHECK-NOT: us.sub_group_size
; CHECK: ret i32 8
; CHECK-LABEL: define {{.*}}void @k
; CHECK: store i32 8
; CHECK-NOT: us.sub_group_size
declare i32 @us.sub_group_size()
define i32 @called() noinline {
  %size = call i32 @us.sub_group_size()
  ret i32 %size
}
define spir_kernel void @k(ptr addrspace(1) %out) {
  %size = call i32 @us.sub_group_size()
  store i32 %size, ptr addrspace(1) %out
  %again = call i32 @called()
  store i32 %again, ptr addrspace(1) %out
  ret void
}
