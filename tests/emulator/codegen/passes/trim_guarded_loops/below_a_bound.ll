; The body runs only below %d: the loop ends there, and does not start if there is nothing to do.
; RUN: us-opt -passes=trim_guarded_loops -kernel=k %s | FileCheck %s

; CHECK-LABEL: @k
define void @k(ptr %p, i32 %d) {
entry:
  ; CHECK: [[TURNS:%.*]] = call i64 @llvm.umin.i64(i64 256,
  ; CHECK: [[NARROW:%.*]] = trunc i64 [[TURNS]] to i32
  ; CHECK: %trimmed = add i32 0, [[NARROW]]
  ; CHECK: [[NONE:%.*]] = icmp eq i64 [[TURNS]], 0
  ; CHECK: br i1 [[NONE]], label %exit, label %loop
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %guard = icmp ugt i32 %d, %i
  ; CHECK: br i1 true, label %body, label %latch
  br i1 %guard, label %body, label %latch
body:
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %q
  br label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  ; CHECK: icmp ult i32 %next, %trimmed
  %more = icmp ult i32 %i, 255
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
