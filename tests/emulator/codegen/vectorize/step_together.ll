; Work-items walk trees, each with a stack of its own: a turn is for those lanes that have the longest stack and are at
; one node. The stack is read as a row, what the node holds is loaded once, and the others keep their stacks.
; RUN: us-opt -passes=vectorize_work_items -kernel=k %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: turns.wide:
; CHECK: %[[LONGEST:[0-9a-z.]+]] = call i32 @llvm.vector.reduce.smax.v16i32(
; CHECK: %[[IS_LONGEST:[0-9a-z.]+]] = icmp eq <16 x i32> %[[TOP:[0-9a-z.]+]], %
; CHECK: %[[ROW:[0-9a-z.]+]] = load <16 x i32>, ptr %
; CHECK: call i16 @llvm.cttz.i16(
; CHECK: %[[NODE:[0-9a-z.]+]] = extractelement <16 x i32> %
; CHECK-NOT: gather
; CHECK: step.wide:
; CHECK-NOT: gather
; CHECK: %[[NUMBER:[0-9a-z.]+]] = zext i32 %[[NODE]] to i64
; CHECK: %[[PLACE:[0-9a-z.]+]] = getelementptr i32, ptr %{{[a-z]+}}, i64 %[[NUMBER]]
; CHECK: load i32, ptr %[[PLACE]]
; CHECK-NOT: gather
; CHECK: rest:
define void @k(ptr %values, ptr %out) {
entry:
  %stack = alloca [8 x i32], !us.private !2
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %root = trunc i64 %i to i32
  store i32 %root, ptr %stack
  br label %turns
turns:
  %top = phi i32 [ 1, %items ], [ %left, %turns.latch ]
  %sum = phi i32 [ 0, %items ], [ %more, %turns.latch ]
  %last = add nsw i32 %top, -1
  %at = zext i32 %last to i64
  %slot = getelementptr [8 x i32], ptr %stack, i64 0, i64 %at
  %node = load i32, ptr %slot
  %number = zext i32 %node to i64
  %place = getelementptr i32, ptr %values, i64 %number
  %value = load i32, ptr %place
  %more = add i32 %sum, %value
  %isInner = icmp ult i32 %value, 100
  br i1 %isInner, label %push, label %turns.latch
push:
  %child = shl i32 %node, 1
  store i32 %child, ptr %slot
  br label %turns.latch
turns.latch:
  %left = phi i32 [ %last, %turns ], [ %top, %push ]
  %goes = icmp sgt i32 %left, 0
  br i1 %goes, label %turns, label %latch
latch:
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %more, ptr %to
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, 64
  br i1 %again, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
!2 = !{}
