; RUN: us-opt -passes=lower_launch_queries -kernel=k %s | FileCheck %s
; What there is one of in a launch: the workspace of the grid, the bytes of local memory, and those that the launch added.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i64 @us.grid_workspace()
declare i64 @us.local_memory()
declare i64 @us.dynamic_local_memory()

; CHECK-LABEL: @k
define i64 @k() {
  ; CHECK-COUNT-3: load i64, ptr %{{.*}}, align 8, !invariant.load
  ; CHECK-NOT: @us.grid_workspace()
  ; CHECK-NOT: local_memory()
  ; CHECK: ret i64
  %w = call i64 @us.grid_workspace()
  %m = call i64 @us.local_memory()
  %d = call i64 @us.dynamic_local_memory()
  %a = add i64 %w, %m
  %b = add i64 %a, %d
  ret i64 %b
}
