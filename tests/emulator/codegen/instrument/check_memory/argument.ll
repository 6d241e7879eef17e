; An access by a pointer that an argument was made into is compared with what the launch knows of the argument; one
; that fails is left out, and what it would have read is 0, unless it is only forbidden. Nothing promises any more that
; indices are right.
; RUN: us-opt -passes=check_memory -checks=memory -exhaustive=memory -kernel=k %s | FileCheck %s
; RUN: us-opt -passes=check_memory -checks=arithmetic -kernel=k %s | FileCheck %s -check-prefix=NONE
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK:      @us.site.{{.*}}\22operation\22:\22read\22
; CHECK-LABEL: define spir_kernel void @k(
; CHECK:      %place = getelementptr i32, ptr addrspace(1) %in, i64 %i
; CHECK:      %[[ADDRESS:.*]] = ptrtoint ptr addrspace(1) %place to i64
; CHECK-NEXT: %[[DISTANCE:.*]] = sub i64 %[[ADDRESS]], %[[BEGIN:.*]]
; CHECK-NEXT: %[[PLACES:.*]] = call i64 @llvm.usub.sat.i64(i64 %{{.*}}, i64 3)
; CHECK-NEXT: %[[RIGHT:.*]] = icmp ult i64 %[[DISTANCE]], %[[PLACES]]
; CHECK-NEXT: br i1 %[[RIGHT]], label %[[MADE:.*]], label %[[FAILED:.*]], !prof
; CHECK:      [[MADE]]:
; CHECK-NEXT: %x = load i32
; CHECK:      [[FAILED]]:
; CHECK:      call void @us.check_failed(i32 0, ptr addrspace(2) @us.site.{{.*}}, i64 %{{.*}}, i64 %[[BEGIN]], i64 %{{.*}})
; CHECK:      br i1 %{{.*}}, label %[[FORBIDDEN:.*]], label %[[NOT:.*]], !nosanitize
; CHECK:      [[FORBIDDEN]]:
; CHECK-NEXT: %[[READ:.*]] = load i32
; CHECK:      [[NOT]]:
; CHECK-NEXT: %[[FOUND:.*]] = phi i32 [ %[[READ]], %[[FORBIDDEN]] ], [ 0, %[[FAILED]] ]
; CHECK:      phi i32 [ %x, %[[MADE]] ], [ %[[FOUND]], %[[NOT]] ]
; NONE-NOT:   us.check_failed
define spir_kernel void @k(ptr addrspace(1) align 4 %in, ptr addrspace(1) align 4 %out, i64 %i) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %place = getelementptr inbounds i32, ptr addrspace(1) %in, i64 %i
  %x = load i32, ptr addrspace(1) %place, align 4
  store i32 %x, ptr addrspace(1) %out, align 4
  ret void
}
!0 = !{i32 1, i32 1, i32 0}
!1 = !{!"int*", !"int*", !"long"}
!2 = !{!"", !"", !""}
