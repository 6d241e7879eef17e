; A coordinate that is a product may be rounded, whatever it is of: of that nothing is known before the row.
; RUN: us-opt -passes=split_at_borders -kernel=k %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK-NOT: inside
define void @k(ptr %in, ptr %out, i32 %first, i32 %count, i32 %size, float %offset) {
entry:
  %length = sitofp i32 %size to float
  %last = add i32 %size, -1
  br label %items
items:
  %i = phi i32 [ 0, %entry ], [ %i.next, %items ]
  %x = phi i32 [ %first, %entry ], [ %x.next, %items ]
  %right = add i32 %x, 2
  %number = sitofp i32 %right to float
  %sum = fmul float %number, %offset
  %u = fadd float %sum, -5.000000e-01
  %less = fcmp olt float %u, %length
  %most = select i1 %less, float %u, float %length
  %greater = fcmp ogt float %most, -2.000000e+00
  %coordinate = select i1 %greater, float %most, float -2.000000e+00
  %floor = call float @llvm.floor.f32(float %coordinate)
  %pixel = fptosi float %floor to i32
  %least = call i32 @llvm.smin.i32(i32 %pixel, i32 %last)
  %place = call i32 @llvm.smax.i32(i32 %least, i32 0)
  %fraction = fsub float %coordinate, %floor
  %index = sext i32 %place to i64
  %from = getelementptr float, ptr %in, i64 %index
  %value = load float, ptr %from
  %own = sext i32 %x to i64
  %to = getelementptr { float, float }, ptr %out, i64 %own
  store float %fraction, ptr %to
  %second = getelementptr i8, ptr %to, i64 4
  store float %value, ptr %second
  %i.next = add nuw nsw i32 %i, 1
  %x.next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %i.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

declare float @llvm.floor.f32(float)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
