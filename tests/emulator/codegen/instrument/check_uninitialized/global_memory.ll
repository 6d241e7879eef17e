; The shadow of memory of which not all is written lies as far from it as its argument's bounds say, and a value that was calculated of it is told where it is stored; elsewhere
; global memory counts as written.
; RUN: us-opt -passes=check_uninitialized -checks=uninitialized -followed=5 -kernel=k %s | FileCheck %s
; RUN: us-opt -passes=check_uninitialized -checks=uninitialized -kernel=k %s | FileCheck %s -check-prefix=WRITTEN
target triple = "x86_64-pc-linux-gnu"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define spir_kernel void @k(
; CHECK:      getelementptr inbounds i8, ptr %{{.*}}, i64 32
; CHECK-NEXT: %[[IN:.*]] = load i64, ptr %{{.*}}, align 8, !invariant.load
; CHECK:      %[[AT:.*]] = getelementptr i8, ptr addrspace(1) %place, i64 %[[IN]]
; CHECK-NEXT: load i32, ptr addrspace(1) %[[AT]]
; CHECK:      %more = add i32 %value, 1
; CHECK:      getelementptr i8, ptr addrspace(1) %out, i64 %
; CHECK:      store i32 %{{.*}}, ptr addrspace(1) %{{.*}}
; CHECK:      call void @us.check_failed(i32 5,
; CHECK-NEXT: %[[TOLD:.*]] = getelementptr i8, ptr addrspace(1) %out
; CHECK-NEXT: call void @llvm.memset.p1.i64(ptr addrspace(1) %[[TOLD]], i8 0, i64 4, i1 false)
; CHECK:      store i32 %more, ptr addrspace(1) %out
; WRITTEN-LABEL: define spir_kernel void @k(
; WRITTEN-NOT: addrspace(1) %place, i64
; WRITTEN:     store i32 %more, ptr addrspace(1) %out
define spir_kernel void @k(ptr addrspace(1) %in, i64 %i, ptr addrspace(1) %out) {
  %place = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %value = load i32, ptr addrspace(1) %place, align 4
  %more = add i32 %value, 1
  store i32 %more, ptr addrspace(1) %out, align 4
  ret void
}

