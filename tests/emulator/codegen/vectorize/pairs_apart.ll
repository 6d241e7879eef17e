; Two elements side by side, at places that have nothing to do with the neighbours': one number of 64 bits is gathered
; and another scattered. Where a store may meet what was loaded behind it they stay two.
; RUN: us-opt -passes=vectorize_work_items -kernel=pairs -vector-plan=1 %s | FileCheck %s
; RUN: us-opt -passes=vectorize_work_items -kernel=between -vector-plan=1 %s | FileCheck --check-prefix=BETWEEN %s

; CHECK-LABEL: @pairs
; CHECK: [[PAIRS:%.*]] = call <16 x i64> @llvm.masked.gather.v16i64.v16p0(<16 x ptr> {{.*}}, i32 8,
; CHECK: [[ALL:%.*]] = bitcast <16 x i64> [[PAIRS]] to <32 x float>
; CHECK: shufflevector <32 x float> [[ALL]], <32 x float> poison, <16 x i32> <i32 0, i32 2, i32 4,
; CHECK: shufflevector <32 x float> [[ALL]], <32 x float> poison, <16 x i32> <i32 1, i32 3, i32 5,
; CHECK: [[MIXED:%.*]] = shufflevector <16 x float> {{.*}}, <16 x float> {{.*}}, <32 x i32> <i32 0, i32 16, i32 1, i32 17,
; CHECK: [[NUMBERS:%.*]] = bitcast <32 x float> [[MIXED]] to <16 x i64>
; CHECK: call void @llvm.masked.scatter.v16i64.v16p0(<16 x i64> [[NUMBERS]], <16 x ptr> {{.*}}, i32 4,
define void @pairs(ptr %where, ptr %in, ptr %out) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %w = getelementptr i64, ptr %where, i64 %i
  %j = load i64, ptr %w
  %p = getelementptr <2 x float>, ptr %in, i64 %j
  %v = load <2 x float>, ptr %p, align 8
  %a = extractelement <2 x float> %v, i64 0
  %b = extractelement <2 x float> %v, i64 1
  %q = getelementptr i8, ptr %out, i64 %j
  %q4 = getelementptr i8, ptr %q, i64 4
  store float %a, ptr %q4, align 4
  %s = fadd float %a, %b
  store float %s, ptr %q, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; BETWEEN-LABEL: @between
; BETWEEN-NOT: i64> @llvm.masked.gather
; BETWEEN: call <16 x float> @llvm.masked.gather
; BETWEEN: call void @llvm.masked.scatter
; BETWEEN: call <16 x float> @llvm.masked.gather
; BETWEEN: wide.done
define void @between(ptr %where, ptr %in, ptr %out) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %w = getelementptr i32, ptr %where, i64 %i
  %j = load i32, ptr %w
  %long = sext i32 %j to i64
  %p = getelementptr float, ptr %in, i64 %long
  %p4 = getelementptr float, ptr %p, i64 1
  %a = load float, ptr %p
  %q = getelementptr float, ptr %out, i64 %long
  store float 1.0, ptr %q
  %b = load float, ptr %p4
  %s = fadd float %a, %b
  %r = getelementptr float, ptr %out, i64 %i
  store float %s, ptr %r
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
