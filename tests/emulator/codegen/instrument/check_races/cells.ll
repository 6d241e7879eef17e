; Where only barriers order work-items, and memory is touched by its name only, the code itself looks at the cells beside
; it: a read at who wrote, a write at who read, too. Words have a cell, bytes where one is touched.
; RUN: us-opt -passes=check_races -checks=races -kernel=words %s | FileCheck %s
; RUN: us-opt -passes=check_races -checks=races -kernel=bytes %s | FileCheck %s -check-prefix=BYTES
; RUN: us-opt -passes=check_races -checks=races -kernel=moves %s | FileCheck %s -check-prefix=MOVES
; RUN: us-opt -passes=check_races -checks=races -kernel=moves -tells-accesses %s | FileCheck %s -check-prefix=TOLD
; RUN: us-opt -passes=check_races -checks=races -kernel=follows %s | FileCheck %s -check-prefix=FOLLOWS
; RUN: us-opt -passes=check_races -checks=races -kernel=locks %s | FileCheck %s -check-prefix=LOCKS
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
@tile = internal addrspace(3) global [16 x i32] undef, align 4
declare void @us.barrier(i32, i32)

; CHECK-LABEL: define spir_kernel void @words(
; CHECK:      lshr i64 %{{.*}}, 2
; CHECK:      load i64, ptr %{{.*}}, align 8
; CHECK:      br i1 %{{.*}}, label %[[RACE:[0-9]+]], label
; CHECK:      [[RACE]]:
; CHECK-NEXT: call void @us.cell_race(i64 ptrtoint (ptr addrspace(3) @tile to i64), i64 4, i32 0, ptr addrspace(2) @us.site.{{.*}}, i64 0, ptr addrspace(2) @us.sites)
; CHECK:      %x = load i32, ptr addrspace(3) @tile
; CHECK:      call void @us.barrier(
; CHECK:      call void @us.cell_race(i64 ptrtoint (ptr addrspace(3) @tile to i64), i64 4, i32 257,
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

; Global memory, too: work-groups before this one count as well as work-items since the last barrier. What else the kernel
; reads and writes is not where cells are.
; MOVES-LABEL: define spir_kernel void @moves(
; MOVES:      load <2 x i64>, ptr %{{.*}}, align 8, !alias.scope
; MOVES:      call void @us.cell_race(i64 %{{.*}}, i64 8, i32 0,
; MOVES:      store <2 x i64> %{{.*}}, ptr %{{.*}}, align 8, !alias.scope
; MOVES:      load <2 x i32>, ptr addrspace(1) %{{.*}}, align 8, !noalias
; MOVES:      call void @us.cell_race(i64 %{{.*}}, i64 8, i32 257,
; MOVES-NOT:  us.memory_access
; MOVES:      "us_cell_arguments"="0" "us_global_cells"="4"
; TOLD-LABEL: define spir_kernel void @moves(
; TOLD-COUNT-2: call void @us.memory_access(
; TOLD-NOT:   us_global_cells
define spir_kernel void @moves(ptr addrspace(1) %data, i64 %from, i64 %to) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %source = getelementptr <2 x i32>, ptr addrspace(1) %data, i64 %from
  %x = load <2 x i32>, ptr addrspace(1) %source, align 8
  %target = getelementptr <2 x i32>, ptr addrspace(1) %data, i64 %to
  store <2 x i32> %x, ptr addrspace(1) %target, align 8
  ret void
}

; Nobody knows whose memory a pointer from memory leads to.
; FOLLOWS-LABEL: define spir_kernel void @follows(
; FOLLOWS-COUNT-2: call void @us.memory_access(
; FOLLOWS-NOT:   us.cell_race
define spir_kernel void @follows(ptr addrspace(1) %data, i64 %from, i64 %to) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %next = load ptr addrspace(1), ptr addrspace(1) %data, align 8
  store i32 0, ptr addrspace(1) %next, align 4
  ret void
}
!0 = !{i32 1, i32 0, i32 0}
!1 = !{!"int*", !"long", !"long"}
!2 = !{!"", !"", !""}
