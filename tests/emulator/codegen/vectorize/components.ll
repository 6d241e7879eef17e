; What work-items access lies apart, but together without gaps: the components of vectors are loaded and stored in one
; piece, and shuffled. What is only nearly all of it is loaded under a mask; stores that leave gaps stay apart, and so
; do loads between which something is written.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: wide:
; CHECK: [[ALL:%.*]] = load <64 x float>, ptr {{.*}}, align 4
; CHECK-COUNT-4: shufflevector <64 x float> [[ALL]]
; CHECK: [[THREE:%.*]] = call <64 x float> @llvm.masked.load.v64f32.p0(ptr {{.*}}, i32 4, <64 x i1> <i1 true, i1 true, i1 true, i1 false, i1 true,
; CHECK-COUNT-3: shufflevector <64 x float> [[THREE]]
; CHECK: call void @llvm.masked.scatter
; CHECK: call void @llvm.masked.scatter
; CHECK: store <64 x float> {{.*}}, ptr {{.*}}, align 8
; CHECK: call <16 x i32> @llvm.masked.gather
; CHECK: call void @llvm.masked.scatter
; CHECK: call <16 x i32> @llvm.masked.gather
define void @k(ptr %a, ptr %b, ptr %gaps, ptr %out, ptr %between) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr <4 x float>, ptr %a, i64 %i
  %x = load <4 x float>, ptr %p, align 4
  %q = getelementptr <4 x float>, ptr %b, i64 %i
  %y = load <4 x float>, ptr %q, align 4
  %first = extractelement <4 x float> %y, i64 0
  %second = extractelement <4 x float> %y, i64 1
  %third = extractelement <4 x float> %y, i64 2
  %two = fmul float %first, %second
  %z = fmul <4 x float> %x, %x
  %some = insertelement <4 x float> <float poison, float 0.0, float 1.0, float 2.0>, float %third, i64 0
  %w = fadd <4 x float> %z, %some
  %g0 = getelementptr [4 x float], ptr %gaps, i64 %i, i64 0
  store float %first, ptr %g0
  %g2 = getelementptr [4 x float], ptr %gaps, i64 %i, i64 2
  store float %two, ptr %g2
  %to = getelementptr <4 x float>, ptr %out, i64 %i
  store <4 x float> %w, ptr %to, align 8
  %b0 = getelementptr [2 x i32], ptr %between, i64 %i, i64 0
  %b1 = getelementptr [2 x i32], ptr %between, i64 %i, i64 1
  %m = load i32, ptr %b0
  store i32 %m, ptr %b1
  %n = load i32, ptr %b1
  store i32 %n, ptr %b0
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
