; A list of each work-item's own that is only gone through: nothing is put on it, and lanes have other nodes in each
; turn, so they go on side by side.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK-NOT: reduce.smax
; CHECK: call <16 x i32> @llvm.masked.gather
; CHECK-NOT: reduce.smax
; CHECK: ret void
define void @k(ptr %values, ptr %out) {
entry:
  %list = alloca [8 x i32], !us.private !2
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %first = trunc i64 %i to i32
  %start = and i32 %first, 3
  %second = getelementptr i32, ptr %list, i64 1
  store i32 %first, ptr %list
  store i32 %start, ptr %second
  br label %turns
turns:
  %place = phi i32 [ %start, %items ], [ %further, %turns ]
  %sum = phi i32 [ 0, %items ], [ %more, %turns ]
  %at = zext i32 %place to i64
  %slot = getelementptr [8 x i32], ptr %list, i64 0, i64 %at
  %node = load i32, ptr %slot
  %number = zext i32 %node to i64
  %address = getelementptr i32, ptr %values, i64 %number
  %value = load i32, ptr %address
  %more = add i32 %sum, %value
  %further = add nuw nsw i32 %place, 1
  %goes = icmp ult i32 %further, 8
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
