; A tile that work-items fill together, each every 64th place: the counter of the first of them, whom nobody may ask any
; more, is never further than the others', so what it is made longer to is side by side. The lanes leave the loop in
; the same turn or the next, which makes the loop worth taking.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -target=avx512 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: [[PLACE:%.*]] = zext i32 {{%.*}} to i64
; CHECK: [[TO:%.*]] = getelementptr i32, ptr %out, i64 [[PLACE]]
; CHECK: call void @llvm.masked.store.v16i32.p0(<16 x i32> {{.*}}, ptr [[TO]], i32 4, <16 x i1>
define void @k(ptr %out) {
entry:
  br label %items
items:
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  br label %fill
fill:
  %l = phi i32 [ %i, %items ], [ %l1, %fill ]
  %row = udiv i32 %l, 18
  %column = urem i32 %l, 18
  %value = add i32 %row, %column
  %long = zext i32 %l to i64
  %to = getelementptr inbounds i32, ptr %out, i64 %long
  store i32 %value, ptr %to
  %l1 = add nuw nsw i32 %l, 64
  %more = icmp ult i32 %l, 1000
  br i1 %more, label %fill, label %end
end:
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 64
  br i1 %again, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
