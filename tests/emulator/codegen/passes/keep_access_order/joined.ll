; Two stores that the loop vectorizer would join, with an access between them: of memory that may be the same, of the
; same memory at another place, and of none.
; RUN: us-opt -passes=keep_access_order -kernel=may_be_the_same %s | FileCheck %s

; CHECK-LABEL: @may_be_the_same
; CHECK: br i1 %more, {{.*}} !llvm.loop [[TAKEN:![0-9]+]]
define void @may_be_the_same(ptr %p, ptr %q) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %first = getelementptr [2 x i32], ptr %p, i64 %i, i64 0
  %second = getelementptr [2 x i32], ptr %p, i64 %i, i64 1
  %from = getelementptr i32, ptr %q, i64 %i
  store i32 1, ptr %first, !llvm.access.group !2
  %x = load i32, ptr %from, !llvm.access.group !2
  store i32 %x, ptr %second, !llvm.access.group !2
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; CHECK-LABEL: @is_part_of_it
; CHECK: br i1 %more, {{.*}} !llvm.loop [[TAKEN_TOO:![0-9]+]]
define void @is_part_of_it(ptr %p) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %first = getelementptr [2 x i32], ptr %p, i64 %i, i64 0
  %half = getelementptr i8, ptr %first, i64 2
  %second = getelementptr [2 x i32], ptr %p, i64 %i, i64 1
  store i32 1, ptr %first, !llvm.access.group !2
  store i16 2, ptr %half, !llvm.access.group !2
  store i32 3, ptr %second, !llvm.access.group !2
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !3
done:
  ret void
}

; CHECK-LABEL: @is_elsewhere
; CHECK: br i1 %more, {{.*}} !llvm.loop [[KEPT:![0-9]+]]
define void @is_elsewhere(ptr %p, ptr noalias %q) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %first = getelementptr [4 x i32], ptr %p, i64 %i, i64 0
  %second = getelementptr [4 x i32], ptr %p, i64 %i, i64 1
  %third = getelementptr [4 x i32], ptr %p, i64 %i, i64 2
  %from = getelementptr i32, ptr %q, i64 %i
  store i32 1, ptr %first, !llvm.access.group !2
  %x = load i32, ptr %from, !llvm.access.group !2
  %y = load i32, ptr %third, !llvm.access.group !2
  %z = add i32 %x, %y
  store i32 %z, ptr %second, !llvm.access.group !2
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !4
done:
  ret void
}
; CHECK-DAG: [[TAKEN]] = distinct !{[[TAKEN]], [[NAME:![0-9]+]]}
; CHECK-DAG: [[TAKEN_TOO]] = distinct !{[[TAKEN_TOO]], [[NAME]]}
; CHECK-DAG: [[KEPT]] = distinct !{[[KEPT]], {{![0-9]+}}, [[NAME]]}
; CHECK-DAG: [[NAME]] = !{!"us.work_items"}
!0 = distinct !{!0, !5, !1}
!1 = !{!"us.work_items"}
!2 = distinct !{}
!3 = distinct !{!3, !5, !1}
!4 = distinct !{!4, !5, !1}
!5 = !{!"llvm.loop.parallel_accesses", !2}
