; Two regions, a nest of loops each; the value that crosses the barrier lies in an array; accesses are parallel.
; RUN: us-opt -passes=split_at_barriers,spill_across_barriers,form_work_item_loops -kernel=k -local-size=64 -work-dimensions=1 -zero-offset %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare void @us.barrier(i32, i32)
declare i64 @us.local_id(i32)
declare ptr @us.launch()

; CHECK-LABEL: define dso_local void @k(ptr {{.*}}%launch, ptr {{.*}}%group, i64 %first, i64 %last)
define void @k() {
  ; CHECK: %x.slot.items = alloca [64 x i32], align 64
  ; The address of the argument block is read once for the launch.
  ; CHECK: %block = load ptr, ptr %launch
  ; CHECK: group.head:
  ; CHECK: store i64 %linear.group
  ; CHECK: load atomic i32, ptr %{{.*}} monotonic
  %launch = call ptr @us.launch()
  %block = load ptr, ptr %launch, !invariant.load !0
  %l = call i64 @us.local_id(i32 0)
  %p = getelementptr i32, ptr %block, i64 %l
  ; CHECK: items.x:
  ; CHECK: %local = phi i32 [ 0,
  ; CHECK: br i1 %{{.*}}, label %items.x, label %{{.*}}, !llvm.loop
  ; CHECK: %x = load i32, ptr %{{.*}}, align 4, !llvm.access.group [[FIRST:![0-9]+]]
  %x = load i32, ptr %p
  call void @us.barrier(i32 1, i32 1)
  ; CHECK: %local{{.*}} = phi i32 [ 0,
  ; CHECK: store i32 %{{.*}}, ptr %{{.*}}, align 4, !llvm.access.group
  store i32 %x, ptr %p
  ; CHECK-NOT: us.barrier
  ret void
}
; CHECK: !"llvm.loop.parallel_accesses", [[FIRST]]}
!0 = !{}
