; Divisions of short numbers: by what the lanes share a product with its reciprocal, by what they do not a division of
; floating-point numbers that hold them. Those of 64 bits stay.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: [[SHARED:%.*]] = uitofp i32 %m to double
; CHECK: [[PART:%.*]] = fdiv double 1.000000e+00, [[SHARED]]
; CHECK: fmul double [[PART]], 0x3FF0000000001000
; CHECK: fmul <16 x double>
; CHECK: [[QUOTIENT:%.*]] = fptoui <16 x double> {{%.*}} to <16 x i32>
; CHECK: [[BACK:%.*]] = mul <16 x i32> [[QUOTIENT]]
; CHECK: sub <16 x i32> {{%.*}}, [[BACK]]
; CHECK: sitofp <16 x i16> {{%.*}} to <16 x float>
; CHECK: fdiv <16 x float>
; CHECK: fptosi <16 x float> {{%.*}} to <16 x i16>
; CHECK: udiv <16 x i64>
define void @k(ptr %in, ptr %out, i32 %m) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %p = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %p
  %left = urem i32 %x, %m
  %a = trunc i32 %x to i16
  %b = trunc i32 %left to i16
  %short = sdiv i16 %a, %b
  %long = zext i16 %short to i64
  %wide = udiv i64 %long, %i
  %q = getelementptr i64, ptr %out, i64 %i
  store i64 %wide, ptr %q
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
