; Cheap values are computed again, a value that is the same for the group has one slot, the others one for each
; work-item. What is not needed behind the barrier has none.
; RUN: us-opt -passes=split_at_barriers,spill_across_barriers -kernel=k %s | FileCheck %s

declare void @us.barrier(i32, i32)
declare i64 @us.local_id(i32)
declare ptr addrspace(3) @us.arena()

; CHECK-LABEL: @k
define void @k(ptr addrspace(3) %t, ptr addrspace(1) %in) {
  ; CHECK-DAG: %differs.slot = alloca i32, align 4, !us.slot [[ITEM:![0-9]+]]
  ; CHECK-DAG: %same.slot = alloca i32, align 4, !us.slot [[GROUP:![0-9]+]]
  ; CHECK-NOT: cheap.slot
  ; CHECK-NOT: before.slot
  %l = call i64 @us.local_id(i32 0)
  %cheap = add i64 %l, 3
  %at = getelementptr i32, ptr addrspace(1) %in, i64 %l
  %differs = load i32, ptr addrspace(1) %at
  ; CHECK: store i32 %differs, ptr %differs.slot
  %same = load i32, ptr addrspace(1) %in
  ; CHECK: store i32 %same, ptr %same.slot
  %before = add i32 %differs, %same
  store i32 %before, ptr addrspace(3) %t
  call void @us.barrier(i32 1, i32 1)
  ; CHECK: after.barrier:
  ; CHECK-DAG: %same.reload = load i32, ptr %same.slot
  ; CHECK-DAG: %differs.reload = load i32, ptr %differs.slot
  ; CHECK-DAG: [[ID:%.*]] = call i64 @us.local_id(i32 0)
  ; CHECK-DAG: [[AGAIN:%.*]] = add i64 [[ID]], 3
  ; CHECK: getelementptr i32, ptr addrspace(3) %t, i64 [[AGAIN]]
  %to = getelementptr i32, ptr addrspace(3) %t, i64 %cheap
  %sum = add i32 %differs, %same
  store i32 %sum, ptr addrspace(3) %to
  ret void
}
; CHECK-DAG: [[ITEM]] = !{!"item"}
; CHECK-DAG: [[GROUP]] = !{!"group"}
