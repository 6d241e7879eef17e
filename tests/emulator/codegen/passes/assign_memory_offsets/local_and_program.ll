; Only what the kernel reaches has a place in the local arena; every program-scope variable has one in the storage.
; RUN: us-opt -passes=assign_memory_offsets -kernel=k %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK: @a = internal addrspace(3) global i8 undef, !us.offset [[ZERO:![0-9]+]]
@a = internal addrspace(3) global i8 undef
; CHECK: @unused = internal addrspace(3) global [64 x i32] undef
; CHECK-NOT: us.offset
@unused = internal addrspace(3) global [64 x i32] undef
; CHECK: @b = internal addrspace(3) global i64 undef, !us.offset [[EIGHT:![0-9]+]]
@b = internal addrspace(3) global i64 undef
; CHECK: @counter = addrspace(1) global i32 0, !us.offset [[ZERO]]
@counter = addrspace(1) global i32 0
; CHECK: @pointer = addrspace(1) global ptr addrspace(1) @counter, !us.offset [[EIGHT]]
@pointer = addrspace(1) global ptr addrspace(1) @counter
; A constant that refers to the storage lies in it; another does not.
; CHECK: @reference = addrspace(2) constant ptr addrspace(1) @counter, !us.offset
@reference = addrspace(2) constant ptr addrspace(1) @counter
; CHECK: @table = addrspace(2) constant i32 7
; CHECK-NOT: us.offset
@table = addrspace(2) constant i32 7

define spir_kernel void @k() {
  store i8 0, ptr addrspace(3) @a
  call void @f()
  ret void
}

define void @f() {
  store i64 0, ptr addrspace(3) @b
  ret void
}

define spir_kernel void @other() {
  store i32 0, ptr addrspace(3) @unused
  ret void
}
; CHECK: [[ZERO]] = !{i64 0}
; CHECK: [[EIGHT]] = !{i64 8}
