; Of an argument the launch says how many bytes may be read, and how many written; an atomic operation needs both. A
; constant is not written, whatever its address was made into.
; RUN: us-opt -passes=check_memory -checks=memory -kernel=k %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@table = internal addrspace(2) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]

; CHECK-LABEL: define spir_kernel void @k(
; CHECK:      %[[READABLE:.*]] = load i64, ptr %{{.*}}, !invariant.load
; CHECK:      load i64, ptr %{{.*}}, !invariant.load
; CHECK:      %[[WRITABLE:.*]] = load i64, ptr %{{.*}}, !invariant.load
; CHECK:      call i64 @llvm.usub.sat.i64(i64 %[[READABLE]], i64 3)
; CHECK:      load i32
; CHECK:      call i64 @llvm.usub.sat.i64(i64 %[[WRITABLE]], i64 3)
; CHECK:      store i32
; CHECK:      %[[BOTH:.*]] = call i64 @llvm.umin.i64(i64 %[[READABLE]], i64 %[[WRITABLE]])
; CHECK:      call i64 @llvm.usub.sat.i64(i64 %[[BOTH]], i64 3)
; CHECK:      atomicrmw
; CHECK:      br i1 false, label %[[MADE:.*]], label %
; CHECK:      [[MADE]]:
; CHECK-NEXT: store i32 7
define spir_kernel void @k(ptr addrspace(1) align 4 %p) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %x = load i32, ptr addrspace(1) %p, align 4
  store i32 %x, ptr addrspace(1) %p, align 4
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  store i32 7, ptr addrspace(1) inttoptr (i64 ptrtoint (ptr addrspace(2) @table to i64) to ptr addrspace(1)), align 4
  ret void
}
!0 = !{i32 1}
!1 = !{!"int*"}
!2 = !{!""}
