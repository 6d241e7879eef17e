; A loop that all work-items run alike: four vectors at once share its scalars; what is left is taken by one vector, then
; by work-items one after another.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: load <64 x float>
; CHECK: load <16 x float>
; CHECK: load float, ptr %column
define void @k(ptr %a, ptr %b, ptr %c, i64 %n, i64 %count) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %column = getelementptr float, ptr %b, i64 %i
  br label %loop
loop:
  %k = phi i64 [ 0, %items ], [ %k.next, %loop ]
  %sum = phi float [ 0.0, %items ], [ %sum.next, %loop ]
  %left = getelementptr float, ptr %a, i64 %k
  %x = load float, ptr %left
  %y = load float, ptr %column
  %sum.next = call float @llvm.fma.f32(float %x, float %y, float %sum)
  %k.next = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %k.next, %n
  br i1 %again, label %loop, label %end
end:
  %to = getelementptr float, ptr %c, i64 %i
  store float %sum.next, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
declare float @llvm.fma.f32(float, float, float)
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
