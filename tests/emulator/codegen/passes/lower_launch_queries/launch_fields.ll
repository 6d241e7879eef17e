; RUN: us-opt -passes=lower_launch_queries -kernel=k %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i64 @us.global_size(i32)
declare i64 @us.num_groups(i32)
declare i64 @us.group_id(i32)
declare i32 @us.work_dim()

; CHECK-LABEL: @k
define i64 @k() {
  ; CHECK: [[LAUNCH:%.*]] = call ptr @us.launch()
  ; CHECK: [[FIELD:%.*]] = getelementptr inbounds i8, ptr [[LAUNCH]], i64 16
  ; CHECK: load i64, ptr [[FIELD]], align 8, !invariant.load
  %s = call i64 @us.global_size(i32 1)
  ; CHECK-NOT: us.num_groups
  %n = call i64 @us.num_groups(i32 0)
  ; CHECK: call i64 @us.group_id(i32 0)
  %g = call i64 @us.group_id(i32 0)
  ; CHECK-NOT: call i32 @us.work_dim
  %d = call i32 @us.work_dim()
  %e = zext i32 %d to i64
  %a = add i64 %s, %n
  %b = add i64 %a, %g
  %c = add i64 %b, %e
  ret i64 %c
}
