; Nobody asks for the shape of the group: a stretch of groups is one loop over global ids.
; RUN: us-opt -passes=form_work_item_loops -kernel=k -local-size=1 -work-dimensions=1 -zero-offset -small-index %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i64 @us.global_id(i32)
declare ptr @us.launch()

; CHECK-LABEL: define dso_local void @k(
define void @k() {
  ; CHECK: group.head:
  ; CHECK: [[LEFT:%.*]] = sub nuw i64 %last, %linear.group
  ; CHECK: [[STRETCH:%.*]] = call i64 @llvm.umin.i64(i64 [[LEFT]], i64 %{{.*}})
  ; It has a work-item at least.
  ; CHECK: %items = trunc i64 {{%.*}} to i32
  ; CHECK: [[SOME:%.*]] = icmp uge i32 %items, 1
  ; CHECK: call void @llvm.assume(i1 [[SOME]])
  ; CHECK: %next.group = add nuw nsw i64 %linear.group, [[STRETCH]]
  ; CHECK: %global = phi i32
  %launch = call ptr @us.launch()
  %x = call i64 @us.global_id(i32 0)
  %p = getelementptr i64, ptr %launch, i64 %x
  store i64 %x, ptr %p
  ret void
}
