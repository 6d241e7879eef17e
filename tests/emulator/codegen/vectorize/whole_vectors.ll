; A hole in a row: vectors without it have a copy without masks. What decides by memory is not asked so, nor where masks
; cost nothing. One comparison of scalars tells on which side of a hole a vector is.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 -target=avx2 %s | FileCheck %s
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 -target=avx512 %s | FileCheck %s --check-prefix=MASKS
; RUN: us-opt -passes=vectorize_work_items -kernel=edge -vector-plan=1 -target=avx2 %s | FileCheck %s --check-prefix=EDGE
; RUN: us-opt -passes=vectorize_work_items -kernel=chosen -vector-plan=1 -target=avx2 %s | FileCheck %s --check-prefix=CHOSEN

; CHECK-LABEL: @k
; CHECK: [[BEHIND:%.*]] = sub i64 %hole, %i1
; CHECK: %all = icmp uge i64 [[BEHIND]], 16
; CHECK: br i1 %all, label %body.wide.whole, label %some
; CHECK: body.wide.whole:
; CHECK: call <16 x i32> @llvm.masked.load.v16i32.p0(ptr %{{.*}}, i32 4, <16 x i1> <i1 true,
; CHECK: call void @llvm.masked.store.v16i32.p0(<16 x i32> %{{.*}}, ptr %{{.*}}, i32 4, <16 x i1> <i1 true,
; CHECK: some:
; CHECK: icmp eq <16 x i64>
; CHECK: br i1 %any, label %body.wide, label %end.wide
; CHECK: body.wide:
; CHECK: call <16 x i32> @llvm.masked.load.v16i32.p0(ptr %{{.*}}, i32 4, <16 x i1> %
; MASKS-LABEL: @k
; MASKS-NOT: whole
define void @k(ptr %in, ptr %out, i64 %hole, i64 %from) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %is = icmp eq i64 %i, %hole
  br i1 %is, label %end, label %body
body:
  %at = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %at
  %same = getelementptr i32, ptr %in, i64 %from
  %y = load i32, ptr %same
  %sum = add i32 %x, %y
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %sum, ptr %to
  br label %end
end:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; EDGE-LABEL: @edge
; EDGE: [[BITS:%.*]] = bitcast <16 x i1> %{{.*}} to i16
; EDGE: %all = icmp eq i16 [[BITS]], -1
; EDGE: br i1 %all, label %body.wide.whole, label %some
define void @edge(ptr %in, ptr %out, i64 %hole, i64 %from) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %is = icmp ult i64 %i, %hole
  br i1 %is, label %end, label %body
body:
  %at = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %at
  %same = getelementptr i32, ptr %in, i64 %from
  %y = load i32, ptr %same
  %sum = add i32 %x, %y
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %sum, ptr %to
  br label %end
end:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; CHOSEN-LABEL: @chosen
; CHOSEN-NOT: whole
define void @chosen(ptr %in, ptr %out, i64 %from) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %at = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %at
  %is = icmp eq i32 %x, 0
  br i1 %is, label %end, label %body
body:
  %same = getelementptr i32, ptr %in, i64 %from
  %y = load i32, ptr %same
  %sum = add i32 %x, %y
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %sum, ptr %to
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
