; Work-items that walk along rows of their own, an element a turn, are as many as a register has elements, and eight at
; least: what they load is transposed, and of blocks of more rows not all would fit the registers.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -target=avx2 %s | FileCheck %s
; RUN: us-opt -passes=vectorize_work_items -kernel=k -target=avx512 %s | FileCheck %s --check-prefix=LONG

; CHECK-LABEL: @k
; CHECK: call <8 x float> @llvm.masked.gather
; LONG: call <16 x float> @llvm.masked.gather
define void @k(ptr %a, ptr %x, ptr %y, i64 %n) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %begin = mul i64 %i, %n
  %row = getelementptr float, ptr %a, i64 %begin
  br label %loop
loop:
  %j = phi i64 [ 0, %items ], [ %j.next, %loop ]
  %sum = phi float [ 0.0, %items ], [ %sum.next, %loop ]
  %from = getelementptr float, ptr %row, i64 %j
  %v = load float, ptr %from
  %with = getelementptr float, ptr %x, i64 %j
  %w = load float, ptr %with
  %sum.next = call float @llvm.fma.f32(float %v, float %w, float %sum)
  %j.next = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %j.next, %n
  br i1 %again, label %loop, label %end
end:
  %to = getelementptr float, ptr %y, i64 %i
  store float %sum.next, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
declare float @llvm.fma.f32(float, float, float)
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
