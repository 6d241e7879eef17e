; Diagonals of a tile in local memory: each work-item does all its steps before the next one, and keeps what it has
; stored and loaded in the step before. Not if a work-item needs what a later one did in an earlier step, if a place is
; not known, nothing is kept, or what is stored in a step lies side by side, as a vector.
; RUN: us-opt -passes=run_through_steps -kernel=diagonals %s | FileCheck %s
; RUN: us-opt -passes=run_through_steps -kernel=triangle %s | FileCheck %s --check-prefix=TRIANGLE
; RUN: us-opt -passes=run_through_steps -kernel=some %s | FileCheck %s --check-prefix=SOME
; RUN: us-opt -passes=run_through_steps -kernel=backwards %s | FileCheck %s --check-prefix=STAYS
; RUN: us-opt -passes=run_through_steps -kernel=unknown %s | FileCheck %s --check-prefix=STAYS
; RUN: us-opt -passes=run_through_steps -kernel=apart %s | FileCheck %s --check-prefix=STAYS
; RUN: us-opt -passes=run_through_steps -kernel=elsewhere %s | FileCheck %s --check-prefix=STAYS
; RUN: us-opt -passes=run_through_steps -kernel=beside %s | FileCheck %s --check-prefix=STAYS

; STAYS-NOT: steps.item

; CHECK-LABEL: @diagonals
; CHECK: steps.item:
; CHECK: %item = phi i64 [ 0, %entry ], [ {{.*}}, %steps.latch ]
; CHECK: steps.begin:
; CHECK: [[CORNER:%.*]] = load i32, ptr addrspace(3)
; CHECK: [[LEFT:%.*]] = load i32, ptr addrspace(3)
; CHECK: br label %steps.step
; CHECK: steps.step:
; CHECK: phi i64 [ 0, %steps.begin ]
; CHECK: [[FIRST:%.*]] = phi i32 [ [[CORNER]], %steps.begin ], [ [[ABOVE:%.*]], %steps.step ]
; CHECK: [[SECOND:%.*]] = phi i32 [ [[LEFT]], %steps.begin ], [ [[STORED:%.*]], %steps.step ]
; CHECK: [[ABOVE]] = load i32, ptr addrspace(3)
; CHECK-NOT: load
; CHECK: add i32 [[ABOVE]], [[SECOND]]
; CHECK: store i32 [[STORED]], ptr addrspace(3)
; CHECK: steps.latch:

; The last work-items have no steps.
; SOME-LABEL: @some
; SOME: %item = phi i64 [ 0, %entry ]
; SOME: steps.latch:
; SOME: icmp ult i64 {{.*}}, 14

; A work-item has one step less than the one before it; the last ones have none.
; TRIANGLE-LABEL: @triangle
; TRIANGLE: steps.item:
; TRIANGLE: [[LESS:%.*]] = mul i64 %item, -1
; TRIANGLE: [[COUNT:%.*]] = add i64 [[LESS]], 14
; TRIANGLE: steps.step:
; TRIANGLE: [[MORE:%.*]] = icmp ult i64 {{.*}}, [[COUNT]]
; TRIANGLE: br i1 [[MORE]], label %steps.step, label %steps.latch

define void @beside(ptr addrspace(3) %t, ptr addrspace(1) %q, i64 %n) {
entry:
  br label %steps
steps:
  %d = phi i64 [ 0, %entry ], [ %d.back, %steps.end ]
  br label %items
items:
  %i = phi i64 [ 0, %steps ], [ %i.next, %items.end ]
  %x = sub nsw i64 %d, %i
  %runs = icmp ult i64 %x, 16
  br i1 %runs, label %body, label %items.end
body:
  %i1 = add nuw nsw i64 %i, 1
  %d1 = add nsw i64 %d, 1
  %p00 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %d, i64 %i
  %corner = load i32, ptr addrspace(3) %p00, align 4, !llvm.access.group !0
  %p01 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %d, i64 %i
  %above = load i32, ptr addrspace(3) %p01, align 4, !llvm.access.group !0
  %p10 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %d, i64 %i1
  %left = load i32, ptr addrspace(3) %p10, align 4, !llvm.access.group !0
  %sum = add i32 %above, %left
  %all = sub i32 %sum, %corner
  %p11 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %d1, i64 %i1
  store i32 %all, ptr addrspace(3) %p11, align 4, !llvm.access.group !0
  br label %items.end
items.end:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 16
  br i1 %i.more, label %items, label %steps.end, !llvm.loop !1
steps.end:
  %d.next = add nuw nsw i64 %d, 1
  %d.done = icmp eq i64 %d.next, 31
  %d.back = select i1 %d.done, i64 %d, i64 %d.next
  br i1 %d.done, label %exit, label %steps
exit:
  ret void
}

define void @diagonals(ptr addrspace(3) %t, ptr addrspace(1) %q, i64 %n) {
entry:
  br label %steps
steps:
  %d = phi i64 [ 0, %entry ], [ %d.back, %steps.end ]
  br label %items
items:
  %i = phi i64 [ 0, %steps ], [ %i.next, %items.end ]
  %x = sub nsw i64 %d, %i
  %runs = icmp ult i64 %x, 16
  br i1 %runs, label %body, label %items.end
body:
  %i1 = add nuw nsw i64 %i, 1
  %x1 = add nsw i64 %x, 1
  %p00 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %i, i64 %x
  %corner = load i32, ptr addrspace(3) %p00, align 4, !llvm.access.group !0
  %p01 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %i, i64 %x1
  %above = load i32, ptr addrspace(3) %p01, align 4, !llvm.access.group !0
  %p10 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %i1, i64 %x
  %left = load i32, ptr addrspace(3) %p10, align 4, !llvm.access.group !0
  %sum = add i32 %above, %left
  %all = sub i32 %sum, %corner
  %p11 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %i1, i64 %x1
  store i32 %all, ptr addrspace(3) %p11, align 4, !llvm.access.group !0
  br label %items.end
items.end:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 16
  br i1 %i.more, label %items, label %steps.end, !llvm.loop !1
steps.end:
  %d.next = add nuw nsw i64 %d, 1
  %d.done = icmp eq i64 %d.next, 31
  %d.back = select i1 %d.done, i64 %d, i64 %d.next
  br i1 %d.done, label %exit, label %steps
exit:
  ret void
}

define void @triangle(ptr addrspace(3) %t, ptr addrspace(1) %q, i64 %n) {
entry:
  br label %steps
steps:
  %d = phi i64 [ 0, %entry ], [ %d.back, %steps.end ]
  br label %items
items:
  %i = phi i64 [ 0, %steps ], [ %i.next, %items.end ]
  %x = sub nsw i64 %d, %i
  %runs = icmp ugt i64 %d, %i
  br i1 %runs, label %body, label %items.end
body:
  %i1 = add nuw nsw i64 %i, 1
  %x1 = add nsw i64 %x, 1
  %p10 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %i, i64 %d
  %left = load i32, ptr addrspace(3) %p10, align 4, !llvm.access.group !0
  %all = add i32 %left, 3
  %d1 = add nuw nsw i64 %d, 1
  %p11 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %i, i64 %d1
  store i32 %all, ptr addrspace(3) %p11, align 4, !llvm.access.group !0
  br label %items.end
items.end:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 16
  br i1 %i.more, label %items, label %steps.end, !llvm.loop !1
steps.end:
  %d.next = add nuw nsw i64 %d, 1
  %d.done = icmp eq i64 %d.next, 15
  %d.back = select i1 %d.done, i64 %d, i64 %d.next
  br i1 %d.done, label %exit, label %steps
exit:
  ret void
}

define void @some(ptr addrspace(3) %t, ptr addrspace(1) %q, i64 %n) {
entry:
  br label %steps
steps:
  %d = phi i64 [ 0, %entry ], [ %d.back, %steps.end ]
  br label %items
items:
  %i = phi i64 [ 0, %steps ], [ %i.next, %items.end ]
  %x = sub nsw i64 %d, %i
  %runs = icmp ult i64 %i, 14
  br i1 %runs, label %body, label %items.end
body:
  %i1 = add nuw nsw i64 %i, 1
  %x1 = add nsw i64 %x, 1
  %p10 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %i, i64 %d
  %left = load i32, ptr addrspace(3) %p10, align 4, !llvm.access.group !0
  %all = add i32 %left, 3
  %d1 = add nuw nsw i64 %d, 1
  %p11 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %i, i64 %d1
  store i32 %all, ptr addrspace(3) %p11, align 4, !llvm.access.group !0
  br label %items.end
items.end:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 16
  br i1 %i.more, label %items, label %steps.end, !llvm.loop !1
steps.end:
  %d.next = add nuw nsw i64 %d, 1
  %d.done = icmp eq i64 %d.next, 15
  %d.back = select i1 %d.done, i64 %d, i64 %d.next
  br i1 %d.done, label %exit, label %steps
exit:
  ret void
}

; From the row below, which a later work-item wrote in the step before.
define void @backwards(ptr addrspace(3) %t, ptr addrspace(1) %q, i64 %n) {
entry:
  br label %steps
steps:
  %d = phi i64 [ 0, %entry ], [ %d.back, %steps.end ]
  br label %items
items:
  %i = phi i64 [ 0, %steps ], [ %i.next, %items.end ]
  %x = sub nsw i64 %d, %i
  %runs = icmp ult i64 %d, 14
  br i1 %runs, label %body, label %items.end
body:
  %i1 = add nuw nsw i64 %i, 1
  %x1 = add nsw i64 %x, 1
  %p10 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %i1, i64 %d
  %left = load i32, ptr addrspace(3) %p10, align 4, !llvm.access.group !0
  %i2 = add nuw nsw i64 %i, 2
  %p20 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %i2, i64 %d
  %own = load i32, ptr addrspace(3) %p20, align 4, !llvm.access.group !0
  %all = add i32 %left, %own
  %d1 = add nuw nsw i64 %d, 1
  %p11 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %i, i64 %d1
  store i32 %all, ptr addrspace(3) %p11, align 4, !llvm.access.group !0
  br label %items.end
items.end:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 16
  br i1 %i.more, label %items, label %steps.end, !llvm.loop !1
steps.end:
  %d.next = add nuw nsw i64 %d, 1
  %d.done = icmp eq i64 %d.next, 16
  %d.back = select i1 %d.done, i64 %d, i64 %d.next
  br i1 %d.done, label %exit, label %steps
exit:
  ret void
}

define void @unknown(ptr addrspace(3) %t, ptr addrspace(1) %q, i64 %n) {
entry:
  br label %steps
steps:
  %d = phi i64 [ 0, %entry ], [ %d.back, %steps.end ]
  br label %items
items:
  %i = phi i64 [ 0, %steps ], [ %i.next, %items.end ]
  %x = sub nsw i64 %d, %i
  %runs = icmp ult i64 %x, 16
  br i1 %runs, label %body, label %items.end
body:
  %i1 = add nuw nsw i64 %i, 1
  %x1 = add nsw i64 %x, 1
  %p00 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %i, i64 %x
  %corner = load i32, ptr addrspace(3) %p00, align 4, !llvm.access.group !0
  %far = mul i64 %x1, %n
  %p01 = getelementptr i32, ptr addrspace(3) %t, i64 %far
  %above = load i32, ptr addrspace(3) %p01, align 4, !llvm.access.group !0
  %p10 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %i1, i64 %x
  %left = load i32, ptr addrspace(3) %p10, align 4, !llvm.access.group !0
  %sum = add i32 %above, %left
  %all = sub i32 %sum, %corner
  %p11 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %i1, i64 %x1
  store i32 %all, ptr addrspace(3) %p11, align 4, !llvm.access.group !0
  br label %items.end
items.end:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 16
  br i1 %i.more, label %items, label %steps.end, !llvm.loop !1
steps.end:
  %d.next = add nuw nsw i64 %d, 1
  %d.done = icmp eq i64 %d.next, 31
  %d.back = select i1 %d.done, i64 %d, i64 %d.next
  br i1 %d.done, label %exit, label %steps
exit:
  ret void
}

; Nothing is kept.
define void @apart(ptr addrspace(3) %t, ptr addrspace(1) %q, i64 %n) {
entry:
  br label %steps
steps:
  %d = phi i64 [ 0, %entry ], [ %d.back, %steps.end ]
  br label %items
items:
  %i = phi i64 [ 0, %steps ], [ %i.next, %items.end ]
  %x = sub nsw i64 %d, %i
  %runs = icmp ult i64 %x, 16
  br i1 %runs, label %body, label %items.end
body:
  %i1 = add nuw nsw i64 %i, 1
  %x1 = add nsw i64 %x, 1
  %p11 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %i1, i64 %x1
  store i32 7, ptr addrspace(3) %p11, align 4, !llvm.access.group !0
  br label %items.end
items.end:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 16
  br i1 %i.more, label %items, label %steps.end, !llvm.loop !1
steps.end:
  %d.next = add nuw nsw i64 %d, 1
  %d.done = icmp eq i64 %d.next, 31
  %d.back = select i1 %d.done, i64 %d, i64 %d.next
  br i1 %d.done, label %exit, label %steps
exit:
  ret void
}

; Global memory is written, too.
define void @elsewhere(ptr addrspace(3) %t, ptr addrspace(1) %q, i64 %n) {
entry:
  br label %steps
steps:
  %d = phi i64 [ 0, %entry ], [ %d.back, %steps.end ]
  br label %items
items:
  %i = phi i64 [ 0, %steps ], [ %i.next, %items.end ]
  %x = sub nsw i64 %d, %i
  %runs = icmp ult i64 %x, 16
  br i1 %runs, label %body, label %items.end
body:
  %i1 = add nuw nsw i64 %i, 1
  %x1 = add nsw i64 %x, 1
  %p00 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %i, i64 %x
  %corner = load i32, ptr addrspace(3) %p00, align 4, !llvm.access.group !0
  %p01 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %i, i64 %x1
  %above = load i32, ptr addrspace(3) %p01, align 4, !llvm.access.group !0
  %p10 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %i1, i64 %x
  %left = load i32, ptr addrspace(3) %p10, align 4, !llvm.access.group !0
  %sum = add i32 %above, %left
  %all = sub i32 %sum, %corner
  %p11 = getelementptr [17 x i32], ptr addrspace(3) %t, i64 %i1, i64 %x1
  store i32 %all, ptr addrspace(3) %p11, align 4, !llvm.access.group !0
  %g = getelementptr i32, ptr addrspace(1) %q, i64 %i
  store i32 %all, ptr addrspace(1) %g, align 4, !llvm.access.group !0
  br label %items.end
items.end:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 16
  br i1 %i.more, label %items, label %steps.end, !llvm.loop !1
steps.end:
  %d.next = add nuw nsw i64 %d, 1
  %d.done = icmp eq i64 %d.next, 31
  %d.back = select i1 %d.done, i64 %d, i64 %d.next
  br i1 %d.done, label %exit, label %steps
exit:
  ret void
}

!0 = distinct !{}
!1 = distinct !{!1, !2, !3}
!2 = !{!"llvm.loop.parallel_accesses", !0}
!3 = !{!"us.work_items"}
