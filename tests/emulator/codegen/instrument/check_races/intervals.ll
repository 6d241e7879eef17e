; What is done to local memory between two barriers cannot race if nobody writes there, or each work-item has its own part.
; RUN: us-opt -passes=check_races -checks=races -local-size=64 -kernel=mirrors %s | FileCheck %s -check-prefix=NONE
; RUN: us-opt -passes=check_races -checks=races -kernel=mirrors %s | FileCheck %s -check-prefix=ALL
; RUN: us-opt -passes=check_races -checks=races -local-size=64 -kernel=unordered %s | FileCheck %s -check-prefix=ALL
; RUN: us-opt -passes=check_races -checks=races -local-size=64 -kernel=rounds %s | FileCheck %s -check-prefix=ALL
; RUN: us-opt -passes=check_races -checks=races -local-size=64 -kernel=rounds_between_barriers %s | FileCheck %s -check-prefix=NONE
; RUN: us-opt -passes=check_races -checks=races -local-size=64 -kernel=pairs %s | FileCheck %s -check-prefix=PAIRS
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
@tile = internal addrspace(3) global [64 x i32] undef, align 4
declare i64 @us.local_id(i32)
declare void @us.barrier(i32, i32)

; NONE-NOT:  us.{{cell_race|memory_access}}
; ALL-COUNT-2: call void @us.cell_race(
; PAIRS-COUNT-1: call void @us.cell_race(
; PAIRS-NOT: call void @us.cell_race(

; Without a constant size nothing is known of who has what.
define spir_kernel void @mirrors() {
  %id = call i64 @us.local_id(i32 0)
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 1, ptr addrspace(3) %mine, align 4
  call void @us.barrier(i32 1, i32 1)
  %other = sub i64 63, %id
  %from = getelementptr i32, ptr addrspace(3) @tile, i64 %other
  %x = load i32, ptr addrspace(3) %from, align 4
  ret void
}

; The barrier is for global memory.
define spir_kernel void @unordered() {
  %id = call i64 @us.local_id(i32 0)
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 1, ptr addrspace(3) %mine, align 4
  call void @us.barrier(i32 2, i32 1)
  %other = sub i64 63, %id
  %from = getelementptr i32, ptr addrspace(3) @tile, i64 %other
  %x = load i32, ptr addrspace(3) %from, align 4
  ret void
}

; Behind the end of a round comes the beginning of the next one.
define spir_kernel void @rounds() {
  %id = call i64 @us.local_id(i32 0)
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  %other = sub i64 63, %id
  %from = getelementptr i32, ptr addrspace(3) @tile, i64 %other
  br label %round
round:
  %i = phi i32 [ 0, %0 ], [ %next, %round ]
  store i32 %i, ptr addrspace(3) %mine, align 4
  call void @us.barrier(i32 1, i32 1)
  %x = load i32, ptr addrspace(3) %from, align 4
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %round, label %end
end:
  ret void
}

define spir_kernel void @rounds_between_barriers() {
  %id = call i64 @us.local_id(i32 0)
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  %other = sub i64 63, %id
  %from = getelementptr i32, ptr addrspace(3) @tile, i64 %other
  br label %round
round:
  %i = phi i32 [ 0, %0 ], [ %next, %round ]
  store i32 %i, ptr addrspace(3) %mine, align 4
  call void @us.barrier(i32 1, i32 1)
  %x = load i32, ptr addrspace(3) %from, align 4
  call void @us.barrier(i32 1, i32 2)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 8
  br i1 %more, label %round, label %end
end:
  ret void
}

; Two work-items have one element.
define spir_kernel void @pairs() {
  %id = call i64 @us.local_id(i32 0)
  %half = udiv i64 %id, 2
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %half
  store i32 1, ptr addrspace(3) %mine, align 4
  ret void
}
