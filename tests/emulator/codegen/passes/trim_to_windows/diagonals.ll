; Of 16 work-items those of a diagonal have something to do, up to the end of the tile, counted downwards or upwards.
; A test that memory decides is none of a window, nor one in a loop of vectors.
; RUN: us-opt -passes=trim_to_windows -kernel=down %s | FileCheck %s --check-prefix=DOWN
; RUN: us-opt -passes=trim_to_windows -kernel=up %s | FileCheck %s --check-prefix=UP
; RUN: us-opt -passes=trim_to_windows -kernel=loaded %s | FileCheck %s --check-prefix=LOADED
; RUN: us-opt -passes=trim_to_windows -kernel=vectors %s | FileCheck %s --check-prefix=VECTORS

; DOWN-LABEL: @down
; DOWN: [[D:%.*]] = freeze i64 %d
; DOWN: [[ABOVE:%.*]] = call i64 @llvm.smax.i64(i64 [[D]], i64 -17179869184)
; DOWN: [[NEAR:%.*]] = call i64 @llvm.smin.i64(i64 [[ABOVE]], i64 17179869184)
; DOWN: [[FIRST:%.*]] = sub i64 [[NEAR]], 15
; DOWN: [[BEHIND:%.*]] = add i64 [[NEAR]], 1
; DOWN: [[FROM:%.*]] = call i64 @llvm.smax.i64(i64 [[FIRST]], i64 0)
; DOWN: [[TO:%.*]] = call i64 @llvm.smin.i64(i64 [[BEHIND]], i64 16)
; DOWN: icmp slt i64 [[FROM]], [[TO]]
; DOWN: br i1 true, label %body, label %latch
; DOWN: icmp ne i64 %next, %window.end
define void @down(ptr %p, i64 %d) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %x = sub nsw i64 %d, %i
  %guard = icmp ult i64 %x, 16
  br i1 %guard, label %body, label %latch
body:
  %q = getelementptr i64, ptr %p, i64 %i
  store i64 %x, ptr %q
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, 16
  br i1 %more, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

; UP-LABEL: @up
; UP: [[FIRST:%.*]] = sub i64 0, [[NEAR:%.*]]
; UP: [[BEHIND:%.*]] = sub i64 5, [[NEAR]]
; UP: br i1 false, label %latch, label %body
define void @up(ptr %p, i64 %d) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %x = add i64 %d, %i
  %guard = icmp ugt i64 %x, 4
  br i1 %guard, label %latch, label %body
body:
  %q = getelementptr i64, ptr %p, i64 %i
  store i64 %x, ptr %q
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, 16
  br i1 %done, label %exit, label %loop, !llvm.loop !2
exit:
  ret void
}

; LOADED-LABEL: @loaded
; LOADED: br i1 %guard, label %body, label %latch
define void @loaded(ptr %p, ptr %d) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %q = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %q
  %guard = icmp ult i64 %x, 16
  br i1 %guard, label %body, label %latch
body:
  store i64 0, ptr %q
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, 16
  br i1 %more, label %loop, label %exit, !llvm.loop !3
exit:
  ret void
}

; VECTORS-LABEL: @vectors
; VECTORS: br i1 %guard, label %body, label %latch
define void @vectors(ptr %p, i64 %d) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %x = sub nsw i64 %d, %i
  %guard = icmp ult i64 %x, 16
  br i1 %guard, label %body, label %latch
body:
  %q = getelementptr i64, ptr %p, i64 %i
  store i64 %x, ptr %q
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, 16
  br i1 %more, label %loop, label %exit, !llvm.loop !4
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !1}
!4 = distinct !{!4, !1, !5}
!5 = !{!"llvm.loop.isvectorized", i32 1}
