; Work-items that are checked for races go on side by side where nothing is remembered of their accesses: all of these
; cannot race. Cells beside memory say who was there before, so there one comes after the other.
; RUN: us-opt -passes=vectorize_work_items -checks=races -kernel=k -vector-plan=1 %s | FileCheck %s -check-prefix=WIDE
; RUN: us-opt -passes=vectorize_work_items -checks=races -kernel=remembers -vector-plan=1 %s | FileCheck %s -check-prefix=ONE

; WIDE-LABEL: @k
; WIDE: load <16 x i32>, ptr %from
; ONE-LABEL: @remembers
; ONE-NOT: load <16 x i32>
define void @k(ptr %in, ptr %out) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %from = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %from
  br label %turn
turn:
  %rest = phi i32 [ %x, %items ], [ %half, %turn ]
  %count = phi i32 [ 0, %items ], [ %one, %turn ]
  %half = lshr i32 %rest, 1
  %one = add i32 %count, 1
  %stops = icmp eq i32 %half, 0
  br i1 %stops, label %end, label %turn
end:
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %one, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
define void @remembers(ptr %in, ptr %out) "us_global_cells"="4" {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %from = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %from
  br label %turn
turn:
  %rest = phi i32 [ %x, %items ], [ %half, %turn ]
  %count = phi i32 [ 0, %items ], [ %one, %turn ]
  %half = lshr i32 %rest, 1
  %one = add i32 %count, 1
  %stops = icmp eq i32 %half, 0
  br i1 %stops, label %end, label %turn
end:
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %one, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
