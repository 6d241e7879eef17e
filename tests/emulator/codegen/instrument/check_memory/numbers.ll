; PTX calculates addresses as numbers. Where one argument of all that were added can be an address, the access is
; compared with what the launch knows of that argument; of two nobody knows which it is, and the address is looked up.
; RUN: us-opt -passes=check_memory -checks=memory -kernel=k %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define spir_kernel void @k(
; CHECK:      %[[BEGIN:.*]] = load i64, ptr %{{.*}}, !invariant.load
; CHECK:      loop:
; CHECK-NOT:  us.bounds
; CHECK:      sub i64 %{{.*}}, %{{.*}}
; CHECK:      end:
; CHECK:      %either = add i64 %a, %n
; CHECK:      call i64 @us.bounds_begin(i64 %{{.*}})
; CHECK:      call i64 @us.bounds_size(i64 %{{.*}})
define spir_kernel void @k(i64 %a, i64 %n, i32 %i) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
entry:
  %index = sext i32 %i to i64
  %distance = mul i64 %index, 4
  %first = add i64 %distance, %a
  br label %loop
loop:
  %at = phi i64 [ %first, %entry ], [ %next, %loop ]
  %p = inttoptr i64 %at to ptr addrspace(1)
  store i32 1, ptr addrspace(1) %p, align 4
  %next = add i64 %at, 4
  %again = icmp ult i64 %next, %n
  br i1 %again, label %loop, label %end
end:
  %either = add i64 %a, %n
  %q = inttoptr i64 %either to ptr addrspace(1)
  store i32 1, ptr addrspace(1) %q, align 4
  ret void
}
!0 = !{i32 0, i32 0, i32 0}
!1 = !{!"long", !"long", !"int"}
!2 = !{!"", !"", !""}
