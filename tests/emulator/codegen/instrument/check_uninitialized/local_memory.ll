; The shadow of local memory begins where the group says, and goes on as local memory does; a value that was never written is told where it is stored to global memory, and
; counts as written from there on.
; RUN: us-opt -passes=check_uninitialized -checks=uninitialized -kernel=k %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
@tile = internal addrspace(3) global [16 x i32] undef, align 4

; CHECK-LABEL: define spir_kernel void @k(
; CHECK:      %[[DISTANCE:.*]] = sub i64
; CHECK:      %[[SHADOW:.*]] = load ptr addrspace(3), ptr %{{.*}}, align 8, !invariant.load
; CHECK:      %[[AT:.*]] = getelementptr i8, ptr addrspace(3) %[[SHADOW]], i64 %[[DISTANCE]]
; CHECK:      %[[ORIGINS:.*]] = load ptr addrspace(3), ptr %{{.*}}, align 8, !invariant.load
; CHECK:      %[[WHY:.*]] = getelementptr i8, ptr addrspace(3) %[[ORIGINS]], i64 %[[DISTANCE]]
; CHECK:      load i32, ptr addrspace(3) %[[AT]]
; CHECK:      load i32, ptr addrspace(3) %[[WHY]]
; CHECK:      icmp ne i32 %{{.*}}, 0
; CHECK:      call void @us.check_failed(i32 5,
; CHECK:      store i32 %value, ptr addrspace(1) %out
; CHECK:      ret void
; CHECK:      "us_local_is_checked"
define spir_kernel void @k(i64 %i, ptr addrspace(1) %out) {
  %place = getelementptr [16 x i32], ptr addrspace(3) @tile, i64 0, i64 %i
  %value = load i32, ptr addrspace(3) %place, align 4
  store i32 %value, ptr addrspace(1) %out, align 4
  ret void
}
