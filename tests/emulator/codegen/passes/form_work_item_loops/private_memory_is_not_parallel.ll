; Work-items use this array one after another: the accesses to it must not be called parallel.
; RUN: us-opt -passes=form_work_item_loops -kernel=k -local-size=64 -work-dimensions=1 %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare i64 @us.local_id(i32)
declare ptr addrspace(1) @us.launch()

; CHECK-LABEL: define dso_local void @k(
define void @k() {
  %a = alloca [4 x i64]
  %l = call i64 @us.local_id(i32 0)
  %i = and i64 %l, 3
  %p = getelementptr i64, ptr %a, i64 %i
  ; CHECK: store i64 %{{.*}}, ptr %p, align 8{{$}}
  store i64 %l, ptr %p
  ; CHECK: load i64, ptr %p, align 8{{$}}
  %v = load i64, ptr %p
  ret void
}
