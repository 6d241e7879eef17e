; Places that are calculated from a work-item's number by limits, by floats or by what does not say that it does not
; wrap: they are likely to lie side by side, and the lanes are asked. Of several loads it is asked once, as long as
; nothing is written between them.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; What floats make: all lanes are looked at, and the number must stay one when it is made longer.
; CHECK: [[PIXEL:%.*]] = fptosi <16 x float>
; CHECK: [[ALL:%.*]] = freeze <16 x i32> [[PIXEL]]
; CHECK: [[FIRST:%.*]] = extractelement <16 x i32> [[ALL]], i64 0
; CHECK: [[LANES:%.*]] = add <16 x i32> {{.*}}, <i32 0, i32 1, i32 2,
; CHECK: [[EACH:%.*]] = icmp eq <16 x i32> [[ALL]], [[LANES]]
; CHECK: [[BITS:%.*]] = bitcast <16 x i1> [[EACH]] to i16
; CHECK: [[SAME:%.*]] = icmp eq i16 [[BITS]], -1
; CHECK: [[FITS:%.*]] = icmp ule i32 [[FIRST]], 2147483632
; CHECK: [[ONE:%.*]] = and i1 [[SAME]], [[FITS]]
; CHECK: call <16 x i32> @llvm.smin.v16i32
; CHECK: [[OTHER:%.*]] = and i1
; CHECK: [[HOLDS:%.*]] = and i1 [[ONE]], [[OTHER]]
; CHECK: br i1 [[HOLDS]], label %side.by.side, label %apart, !prof
; CHECK: side.by.side:
; CHECK: zext i32 [[FIRST]] to i64
; CHECK: load <16 x i32>, ptr
; CHECK: load <16 x i32>, ptr
; CHECK: br label %accessed
; CHECK: apart:
; CHECK: call <16 x i32> @llvm.masked.gather
; CHECK: call <16 x i32> @llvm.masked.gather
; CHECK: br label %accessed
; CHECK: accessed:
; CHECK: phi <16 x i32>
; CHECK: phi <16 x i32>
; The lower bits of a number that may not have others: the first work-item's say all.
; CHECK: [[LOW:%.*]] = and i64 {{.*}}, 4294967295
; CHECK: [[END:%.*]] = icmp ule i64 [[LOW]], 4294967280
; CHECK: br i1
; CHECK: store <16 x i32>
; CHECK: call void @llvm.masked.scatter
define void @k(ptr %in, ptr %other, ptr %out, float %offset, i32 %last, i64 %row) {
entry:
  br label %items
items:
  %i = phi i32 [ 0, %entry ], [ %next, %items ]
  %float = sitofp i32 %i to float
  %moved = fadd float %float, %offset
  %below = fcmp olt float %moved, 1.0e9
  %limited = select i1 %below, float %moved, float 1.0e9
  %pixel = fptosi float %limited to i32
  %index = zext i32 %pixel to i64
  %from = getelementptr i32, ptr %in, i64 %index
  %x = load i32, ptr %from
  %right = add i32 %i, 1
  %edge = call i32 @llvm.smin.i32(i32 %right, i32 %last)
  %neighbor = sext i32 %edge to i64
  %there = getelementptr i32, ptr %other, i64 %neighbor
  %y = load i32, ptr %there
  %sum = add i32 %x, %y
  %number = zext i32 %i to i64
  %far = add i64 %row, %number
  %short = and i64 %far, 4294967295
  %to = getelementptr i32, ptr %out, i64 %short
  store i32 %sum, ptr %to
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
declare i32 @llvm.smin.i32(i32, i32)
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
