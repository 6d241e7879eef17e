; A loop without control flow of its own is left to the loop vectorizer, but not if that would gather what is likely to
; lie side by side.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -target=avx512 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: side.by.side:
; CHECK: load <16 x float>
define void @k(ptr %in, ptr %out, i32 %last) {
entry:
  br label %items
items:
  %i = phi i32 [ 0, %entry ], [ %next, %items ]
  %right = add nuw nsw i32 %i, 1
  %limited = call i32 @llvm.smin.i32(i32 %right, i32 %last)
  %index = sext i32 %limited to i64
  %from = getelementptr float, ptr %in, i64 %index
  %x = load float, ptr %from
  %y = fmul float %x, %x
  %z = fadd float %y, %x
  %number = zext nneg i32 %i to i64
  %to = getelementptr float, ptr %out, i64 %number
  store float %z, ptr %to
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
declare i32 @llvm.smin.i32(i32, i32)
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
