; Four truth values are four bits of a byte in memory, also where they are read as one number.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: store <16 x i8>
; CHECK: [[BYTES:%.*]] = load <16 x i8>
; CHECK: trunc <16 x i8> {{.*}} to <16 x i4>
define void @k(ptr %in, ptr %slots, ptr %out) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %from = getelementptr <4 x i32>, ptr %in, i64 %i
  %v = load <4 x i32>, ptr %from
  %few = icmp slt <4 x i32> %v, <i32 3, i32 3, i32 3, i32 3>
  %slot = getelementptr i8, ptr %slots, i64 %i
  store <4 x i1> %few, ptr %slot, align 1
  %number = load i4, ptr %slot, align 1
  %to = getelementptr i8, ptr %out, i64 %i
  %wide = zext i4 %number to i8
  store i8 %wide, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
