; A value goes from one work-item to the next: the loop stays as it is.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s --implicit-check-not=wide

; CHECK-LABEL: @k
define void @k(ptr %in, ptr %out) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %before = phi i32 [ 0, %entry ], [ %x, %items ]
  %from = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %from
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %before, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
