; What is stored behind the third component is a zero, whose shadow says that it was written.
; RUN: us-opt -passes=check_uninitialized -checks=uninitialized -kernel=k %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define spir_kernel void @k(
; CHECK:      shufflevector <3 x i32> %value, <3 x i32> zeroinitializer, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
define spir_kernel void @k(<3 x i32> %value, ptr addrspace(1) %out) {
  %four = shufflevector <3 x i32> %value, <3 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>
  store <4 x i32> %four, ptr addrspace(1) %out, align 16
  ret void
}
