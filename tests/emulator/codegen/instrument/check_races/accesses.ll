; Accesses to global and local memory are told of, with what they write if it fits and whether they are atomic; those to
; private variables and constants are not. A value that does not fit lies in memory.
; RUN: us-opt -passes=check_races -checks=races -kernel=k %s | FileCheck %s
; RUN: us-opt -passes=check_races -checks=memory -kernel=k %s | FileCheck %s -check-prefix=NONE
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
@tile = internal addrspace(3) global [16 x i32] undef, align 4
@table = internal addrspace(2) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 4

; CHECK-LABEL: define spir_kernel void @k(
; CHECK:      call void @us.memory_access(i64 %{{.*}}, i64 4, i32 0, ptr addrspace(2) @us.site.{{.*}}, i64 0)
; CHECK-NEXT: %x = load i32, ptr addrspace(1) %in
; CHECK-NEXT: store i32 %x, ptr %private
; CHECK:      %t = load i32, ptr addrspace(2)
; CHECK:      %[[BITS:.*]] = zext i32 %{{.*}} to i64
; CHECK-NEXT: ptrtoint
; CHECK-NEXT: call void @us.memory_access(i64 %{{.*}}, i64 4, i32 257, ptr addrspace(2) @us.site.{{.*}}, i64 %[[BITS]])
; CHECK-NEXT: store i32 %t, ptr addrspace(3) %place
; CHECK:      store <4 x float> %v, ptr %[[COPY:.*]],
; CHECK-NEXT: %[[VALUE:.*]] = ptrtoint ptr %[[COPY]] to i64
; CHECK-NEXT: ptrtoint ptr addrspace(1) %in
; CHECK-NEXT: call void @us.memory_access(i64 %{{.*}}, i64 16, i32 2305, ptr addrspace(2) @us.site.{{.*}}, i64 %[[VALUE]])
; CHECK-NEXT: store <4 x float> %v, ptr addrspace(1) %in
; CHECK:      call void @us.memory_access(i64 %{{.*}}, i64 4, i32 4,
; CHECK-NEXT: atomicrmw add ptr addrspace(1) %in, i32 1 monotonic
; CHECK:      call void @us.memory_access(i64 %{{.*}}, i64 4, i32 514,
; CHECK-NEXT: load atomic i32, ptr addrspace(1) %in acquire
; CHECK:      "us_races_are_checked"
; NONE-NOT:   us.memory_access
define spir_kernel void @k(ptr addrspace(1) %in, i64 %i, <4 x float> %v) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %private = alloca [2 x i32], align 4
  %x = load i32, ptr addrspace(1) %in, align 4
  store i32 %x, ptr %private, align 4
  %row = getelementptr [4 x i32], ptr addrspace(2) @table, i64 0, i64 %i
  %t = load i32, ptr addrspace(2) %row, align 4
  %place = getelementptr [16 x i32], ptr addrspace(3) @tile, i64 0, i64 %i
  store i32 %t, ptr addrspace(3) %place, align 4
  store <4 x float> %v, ptr addrspace(1) %in, align 16
  %old = atomicrmw add ptr addrspace(1) %in, i32 1 monotonic
  %now = load atomic i32, ptr addrspace(1) %in acquire, align 4
  ret void
}
!0 = !{i32 1, i32 0, i32 0}
!1 = !{!"int*", !"long", !"float4"}
!2 = !{!"", !"", !""}
