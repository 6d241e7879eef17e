; Numbers of 64 work-items fit a float, whatever they are divided by.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: [[SHARED:%.*]] = uitofp i32 %m to float
; CHECK: [[PART:%.*]] = fdiv float 1.000000e+00, [[SHARED]]
; CHECK: fmul float [[PART]], 0x3FF0000100000000
; CHECK: sitofp <16 x i32> {{%.*}} to <16 x float>
; CHECK: [[QUOTIENT:%.*]] = fptosi <16 x float> {{%.*}} to <16 x i32>
; CHECK: mul <16 x i32> [[QUOTIENT]]
define void @k(ptr %out, i32 %m) {
entry:
  br label %items
items:
  %i = phi i32 [ 0, %entry ], [ %next, %items ]
  %left = urem i32 %i, %m
  %long = zext i32 %i to i64
  %q = getelementptr i32, ptr %out, i64 %long
  store i32 %left, ptr %q
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
