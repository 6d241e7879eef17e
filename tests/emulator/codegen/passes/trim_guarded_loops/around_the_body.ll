; A branch goes around the body above a last place, or where one of two bounds is reached: the loop ends there.
; RUN: us-opt -passes=trim_guarded_loops -kernel=last %s | FileCheck %s --check-prefix=LAST
; RUN: us-opt -passes=trim_guarded_loops -kernel=either %s | FileCheck %s --check-prefix=EITHER
; RUN: us-opt -passes=trim_guarded_loops -kernel=above %s | FileCheck %s --check-prefix=ABOVE

; LAST-LABEL: @last
; LAST: [[BOUND:%.*]] = zext i32 %d to i64
; LAST: [[BEHIND:%.*]] = call i64 @llvm.uadd.sat.i64(i64 [[BOUND]], i64 1)
; LAST: icmp ugt i64 [[BEHIND]], 0
; LAST: br i1 false, label %latch, label %body
; LAST: icmp ult i32 %next, %trimmed
define void @last(ptr %p, i32 %d) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %guard = icmp ugt i32 %i, %d
  br i1 %guard, label %latch, label %body
body:
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %q
  br label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i, 255
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; EITHER-LABEL: @either
; EITHER: icmp ugt i64 {{%.*}}, 0
; EITHER: icmp sgt i64 {{%.*}}, 0
; EITHER: br i1 false, label %latch, label %body
; EITHER: icmp ult i32 %next, %trimmed
define void @either(ptr %p, i32 %d, i32 %e) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %one = icmp uge i32 %i, %d
  %two = icmp sge i32 %i, %e
  %guard = or i1 %one, %two
  br i1 %guard, label %latch, label %body
body:
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %q
  br label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i, 255
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; What runs above a bound stays as it is.
; ABOVE-LABEL: @above
; ABOVE-NOT: trimmed
define void @above(ptr %p, i32 %d) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %guard = icmp ult i32 %i, %d
  br i1 %guard, label %latch, label %body
body:
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %q
  br label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i, 255
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
