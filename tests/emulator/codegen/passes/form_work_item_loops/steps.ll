; Work-items that look at memory until it changes: each has a region to go on with, of which one after another has its
; loop. Where all look again, the group gives up its turn.
; RUN: us-opt -passes=split_at_barriers,spill_across_barriers,form_work_item_loops -kernel=k -local-size=64 -work-dimensions=1 -zero-offset %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare void @us.yield()
declare void @us.barrier(i32, i32)
declare i64 @us.local_id(i32)
declare ptr @us.launch()

; CHECK-LABEL: define dso_local void @k(
; CHECK: %step.items = alloca [64 x i8], align 64, !us.of_group
; CHECK: call void @llvm.memset.p0.i64(ptr align 64 %step.items, i8 0, i64 64, i1 false)
; CHECK: store i64 1, ptr %ready
define void @k() {
entry:
  %launch = call ptr @us.launch()
  %block = load ptr, ptr %launch, !invariant.load !0
  %l = call i64 @us.local_id(i32 0)
  %p = getelementptr i64, ptr %block, i64 %l
  br label %look
look:
  %x = load volatile i64, ptr %p
  %nothing = icmp eq i64 %x, 0
  br i1 %nothing, label %wait, label %meet
wait:
  call void @us.yield()
  br label %look
meet:
  call void @us.barrier(i32 1, i32 1)
  store i64 %x, ptr %p
  ret void
}
; The first region: only work-items whose step is 0, which go on with the region behind the yield or the barrier.
; CHECK: [[STEP:%.*]] = load i8, ptr %mark
; CHECK: [[HERE:%.*]] = icmp eq i8 [[STEP]], 0
; CHECK: br i1 [[HERE]], label %there, label %item.latch
; CHECK: store i8 [[NUMBER:[12]]], ptr %mark
; CHECK: or i64 %{{.*}}, {{2|4}}
; The next region that some go on with, or if there is none those that look again, or else those at the barrier.
; CHECK: dispatch:
; CHECK: [[READY:%.*]] = load i64, ptr %ready
; CHECK: choose:
; CHECK: [[LOWEST:%.*]] = call i64 @llvm.cttz.i64(i64 [[READY]], i1 true)
; CHECK: switch i64 [[LOWEST]], label %region [
; CHECK: settle:
; CHECK: load i64, ptr %later
; CHECK: look.again:
; CHECK: load i64, ptr %moved
; CHECK: release:
; CHECK: load i64, ptr %waiting
; CHECK: br i1 %{{.*}}, label %open, label %group.latch
; CHECK: give.up{{[0-9]+}}:
; CHECK: call void %{{.*}}(ptr %group)
; CHECK: "us_waits"
!0 = !{}
