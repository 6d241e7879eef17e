; Something happens above the bound too; the bound changes in the loop; a value is needed behind it: nothing is trimmed.
; RUN: us-opt -passes=trim_guarded_loops -kernel=otherwise %s | FileCheck %s
; RUN: us-opt -passes=trim_guarded_loops -kernel=changing %s | FileCheck %s
; RUN: us-opt -passes=trim_guarded_loops -kernel=needed %s | FileCheck %s
; CHECK-NOT: trimmed

define void @otherwise(ptr %p, i32 %d) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %guard = icmp ult i32 %i, %d
  br i1 %guard, label %body, label %latch
body:
  store i32 %i, ptr %p
  br label %latch
latch:
  store volatile i32 0, ptr %p
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 256
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @changing(ptr %p) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %d = load i32, ptr %p
  %guard = icmp ult i32 %i, %d
  br i1 %guard, label %body, label %latch
body:
  store i32 %i, ptr %p
  br label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 256
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define i32 @needed(ptr %p, i32 %d) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %guard = icmp ult i32 %i, %d
  br i1 %guard, label %body, label %latch
body:
  store i32 %i, ptr %p
  br label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 256
  br i1 %more, label %loop, label %exit
exit:
  %r = phi i32 [ %next, %latch ]
  ret i32 %r
}
