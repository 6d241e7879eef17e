; Side by side under a mask. The first work-item's place is calculated even where it has none: by a sum, as bits that
; never meet in the others may meet in it.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: [[SUM:%.*]] = add i64 {{.*}}, %begin
; CHECK: [[FROM:%.*]] = getelementptr i32, ptr %in, i64 [[SUM]]
; CHECK: call <16 x i32> @llvm.masked.load.v16i32.p0(ptr [[FROM]], i32 4, <16 x i1>
; CHECK: call void @llvm.masked.store.v16i32.p0(<16 x i32>
define void @k(ptr %in, ptr %out, i64 %begin, i64 %shift) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %moved = sub i64 %i, %shift
  %guard = icmp ult i64 %moved, 16
  br i1 %guard, label %inside, label %end
inside:
  %place = or disjoint i64 %moved, %begin
  %from = getelementptr inbounds i32, ptr %in, i64 %place
  %x = load i32, ptr %from
  %to = getelementptr i32, ptr %out, i64 %place
  store i32 %x, ptr %to
  br label %end
end:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
