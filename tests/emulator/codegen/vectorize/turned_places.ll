; Of a place whose number has bits turned over alike for all, the higher ones choose where what is accessed begins, the
; lower ones the order of the lanes. Where the first work-item's number is no multiple of the lanes, it is a gather.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 -target=avx512 %s | FileCheck %s
; RUN: us-opt -passes=vectorize_work_items -kernel=shifted -vector-plan=1 -target=avx512 %s | FileCheck %s --check-prefix=SHIFTED

; CHECK-LABEL: @k
; CHECK: [[FIRST:%.*]] = and i64 %turned, -16
; CHECK: [[FROM:%.*]] = xor i64 {{.*}}, [[FIRST]]
; CHECK: [[PLACE:%.*]] = getelementptr i32, ptr %in, i64 [[FROM]]
; CHECK: [[ORDER:%.*]] = and i64 %turned, 15
; CHECK: load <16 x i32>, ptr [[PLACE]]
; CHECK: shufflevector <16 x i32> {{.*}}, <16 x i32> <i32 1, i32 0, i32 3, i32 2,
; CHECK: select i1
; CHECK: shufflevector <16 x i32> {{.*}}, <16 x i32> <i32 8, i32 9, i32 10, i32 11,
; CHECK-NOT: gather
; CHECK: store <16 x i32>
; SHIFTED: call <16 x i32> @llvm.masked.gather
define void @k(ptr noalias %in, ptr noalias %out, i64 %turned) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %other = xor i64 %i, %turned
  %from = getelementptr i32, ptr %in, i64 %other
  %number = load i32, ptr %from
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %number, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @shifted(ptr noalias %in, ptr noalias %out, i64 %turned) {
entry:
  br label %items
items:
  %i = phi i64 [ 3, %entry ], [ %next, %items ]
  %other = xor i64 %i, %turned
  %from = getelementptr i32, ptr %in, i64 %other
  %number = load i32, ptr %from
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %number, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
