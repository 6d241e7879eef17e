; Where only barriers order work-items, and local memory is touched by its name only, the code itself looks at the cells
; beside it: a read at who wrote, a write at who read, too. Words have a cell, bytes where one is touched.
; RUN: us-opt -passes=check_races -checks=races -kernel=words %s | FileCheck %s
; RUN: us-opt -passes=check_races -checks=races -kernel=bytes %s | FileCheck %s -check-prefix=BYTES
; RUN: us-opt -passes=check_races -checks=races -kernel=locks %s | FileCheck %s -check-prefix=LOCKS
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
@tile = internal addrspace(3) global [16 x i32] undef, align 4
declare void @us.barrier(i32, i32)

; CHECK-LABEL: define spir_kernel void @words(
; CHECK:      lshr i64 %{{.*}}, 2
; CHECK:      load i64, ptr %{{.*}}, align 8
; CHECK:      br i1 %{{.*}}, label %[[RACE:[0-9]+]], label
; CHECK:      [[RACE]]:
; CHECK-NEXT: call void @us.local_race(i64 ptrtoint (ptr addrspace(3) @tile to i64), i64 4, i32 0, ptr addrspace(2) @us.site.{{.*}}, i64 0, ptr addrspace(2) @us.sites)
; CHECK:      %x = load i32, ptr addrspace(3) @tile
; CHECK:      call void @us.barrier(
; CHECK:      call void @us.local_race(i64 ptrtoint (ptr addrspace(3) @tile to i64), i64 4, i32 257,
; CHECK:      store i32 %x, ptr addrspace(3) @tile
; CHECK-NOT:  call void @us.memory_access
; CHECK:      "us_local_cells"="4"
define spir_kernel void @words() {
  %x = load i32, ptr addrspace(3) @tile, align 4
  call void @us.barrier(i32 1, i32 1)
  store i32 %x, ptr addrspace(3) @tile, align 4
  ret void
}

; BYTES:      "us_local_cells"="1"
define spir_kernel void @bytes() {
  %x = load i8, ptr addrspace(3) @tile, align 1
  store i8 %x, ptr addrspace(3) @tile, align 1
  ret void
}

; What a lock orders is for the detector to know.
; LOCKS-LABEL: define spir_kernel void @locks(
; LOCKS-COUNT-2: call void @us.memory_access(
; LOCKS-NOT:  us_local_cells
define spir_kernel void @locks() {
  %x = load i32, ptr addrspace(3) @tile, align 4
  %old = atomicrmw xchg ptr addrspace(3) @tile, i32 1 acquire
  ret void
}
