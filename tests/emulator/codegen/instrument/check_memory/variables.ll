; What is certain is not looked at: a constant place inside of a variable. A place that is not known is compared with the
; variable's bytes, without its address; an array inside of one with its elements, too.
; RUN: us-opt -passes=check_memory -checks=memory -kernel=k %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
@tile = internal addrspace(3) global [16 x i32] undef, align 4

; CHECK-LABEL: define spir_kernel void @k(
; CHECK:      %array = alloca [8 x i32]
; CHECK-NOT:  us.check_failed
; CHECK:      store i32 1, ptr %first
; CHECK:      %[[DISTANCE:.*]] = mul i64 %i, 4
; CHECK-NEXT: icmp ult i64 %[[DISTANCE]], 29
; CHECK:      icmp ult i64 %{{.*}}, 61
; CHECK:      %[[ROW:.*]] = icmp ult i64 %i, 4
; CHECK:      and i1 %{{.*}}, %[[ROW]]
; CHECK:      call void @us.check_failed(i32 1, ptr addrspace(2) @us.site.{{.*}}, i64 %i, i64 4,
; CHECK:      call void @us.check_failed(i32 0,
; CHECK:      ret void
define spir_kernel void @k(i64 %i) {
  %array = alloca [8 x i32], align 4
  %rows = alloca [3 x [4 x i32]], align 4
  %first = getelementptr inbounds [8 x i32], ptr %array, i64 0, i64 7
  store i32 1, ptr %first, align 4
  %any = getelementptr inbounds [8 x i32], ptr %array, i64 0, i64 %i
  store i32 2, ptr %any, align 4
  %shared = getelementptr inbounds [16 x i32], ptr addrspace(3) @tile, i64 0, i64 %i
  store i32 3, ptr addrspace(3) %shared, align 4
  %inner = getelementptr inbounds [3 x [4 x i32]], ptr %rows, i64 0, i64 1, i64 %i
  store i32 4, ptr %inner, align 4
  ret void
}
