; A work-item that ends before a barrier at which others wait leaves a mark, and has no turn behind it. The group goes on
; if one of its work-items does; what these have in common, the loop's counter, is put together from all of them.
; RUN: us-opt -passes=split_at_barriers,spill_across_barriers,form_work_item_loops -kernel=k -local-size=64 -work-dimensions=1 -zero-offset %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare void @us.barrier(i32, i32)
declare i64 @us.local_id(i32)
declare ptr @us.launch()

; CHECK-LABEL: define dso_local void @k(
; CHECK: %ended.items = alloca [64 x i8], align 64, !us.of_group
; CHECK: group.head:
; CHECK: call void @llvm.memset.p0.i64(ptr align 64 %ended.items, i8 0, i64 64, i1 false)
define void @k() "us_barriers_may_be_skipped" {
entry:
  %launch = call ptr @us.launch()
  %block = load ptr, ptr %launch, !invariant.load !0
  %l = call i64 @us.local_id(i32 0)
  br label %turn
turn:
  %count = phi i64 [ 0, %entry ], [ %next, %wait ]
  %done = icmp eq i64 %count, %l
  br i1 %done, label %end, label %wait
wait:
  %next = add i64 %count, 1
  call void @us.barrier(i32 1, i32 1)
  br label %turn
end:
  %p = getelementptr i64, ptr %block, i64 %l
  store i64 %count, ptr %p
  ret void
}
; The region of the first turn: a bit of each way that is taken, and the counter's bits of those that go on.
; CHECK: store i64 0, ptr %next.slot.of.all
; CHECK: store i32 0, ptr [[WAYS:%next[0-9]*]]
; CHECK: items.x:
; CHECK: %mark = getelementptr inbounds [64 x i8], ptr %ended.items, i64 0, i64 %{{.*}}
; CHECK: item.end:
; CHECK: or i64
; CHECK: store i64 %{{.*}}, ptr %next.slot.of.all
; CHECK: [[TAKEN:%.*]] = or i32 %{{.*}}, [[BIT:[12]]]
; CHECK: store i32 [[TAKEN]], ptr [[WAYS]]
; CHECK: store i8 1, ptr %mark
; CHECK: [[COMMON:%.*]] = load i64, ptr %next.slot.of.all
; CHECK: store i64 [[COMMON]], ptr %next.slot
; CHECK: [[ALL:%.*]] = load i32, ptr [[WAYS]]
; CHECK: switch i32 [[ALL]], label %group.latch [
; CHECK-NEXT: i32 [[BIT]], label %region
; Behind the barrier.
; CHECK: [[MARK:%.*]] = load i8, ptr %mark{{[0-9]+}}
; CHECK: [[IS:%.*]] = icmp eq i8 [[MARK]], 0
; CHECK: br i1 [[IS]], label %there, label %item.latch{{[0-9]*}}
!0 = !{}
