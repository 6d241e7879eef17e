; What one instruction makes of a value that has a slot needs none: it is made again behind the barrier. Not what is
; made of two such values, of one of another block, which may be newer then, or of what is made so itself.
; RUN: us-opt -passes=split_at_barriers,spill_across_barriers -kernel=k %s | FileCheck %s

declare void @us.barrier(i32, i32)
declare i64 @us.local_id(i32)
declare ptr addrspace(3) @us.arena()

; CHECK-LABEL: @k
define void @k(ptr addrspace(3) %t, ptr addrspace(1) %in, i32 %shift, i1 %more) {
  ; CHECK-DAG: %kept.slot = alloca i32
  ; CHECK-DAG: %other.slot = alloca i32
  ; CHECK-DAG: %both.slot = alloca i32
  ; CHECK-DAG: %twice.slot = alloca i32
  ; CHECK-DAG: %elsewhere.slot = alloca i32
  ; CHECK-NOT: %made.slot
  %l = call i64 @us.local_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %in, i64 %l
  %kept = load i32, ptr addrspace(1) %at
  %other.at = getelementptr i8, ptr addrspace(1) %at, i64 400
  %other = load i32, ptr addrspace(1) %other.at
  %made = lshr i32 %kept, %shift
  %twice = and i32 %made, 15
  %both = add i32 %kept, %other
  br i1 %more, label %next, label %next
next:
  %elsewhere = xor i32 %other, %shift
  call void @us.barrier(i32 1, i32 1)
  ; CHECK: after.barrier:
  ; CHECK: [[KEPT:%.*]] = load i32, ptr %kept.slot
  ; CHECK: lshr i32 [[KEPT]], %shift
  %to = getelementptr i32, ptr addrspace(3) %t, i64 %l
  %a = add i32 %made, %twice
  %b = add i32 %a, %both
  %c = add i32 %b, %elsewhere
  %d = add i32 %c, %kept
  %e = add i32 %d, %other
  store i32 %e, ptr addrspace(3) %to
  ret void
}
