; A vector of short elements lies in memory as one number: side by side it is one access, apart one element of a gather
; or a scatter. What is stored of it is frozen, as one element that is not known would make the number unknown. A
; vector that was made before the loop is one of all work-items.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: wide:
; CHECK: extractelement <4 x i8> %known
; CHECK: [[X:%.*]] = load <16 x i32>, ptr {{.*}}, align 1
; CHECK: lshr <16 x i32> [[X]], {{.*}}i32 24
; CHECK: call <16 x i64> @llvm.masked.gather.v16i64
; CHECK: freeze
; CHECK: store <16 x i32> {{.*}}, ptr {{.*}}, align 1
define void @k(ptr %in, ptr %table, ptr %out, i32 %one) {
entry:
  %number = trunc i32 %one to i8
  %known = insertelement <4 x i8> <i8 1, i8 2, i8 3, i8 4>, i8 %number, i64 0
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %from = getelementptr <4 x i8>, ptr %in, i64 %i
  %x = load <4 x i8>, ptr %from, align 1
  %y = add <4 x i8> %x, %known
  %first = extractelement <4 x i8> %x, i64 3
  %place = zext i8 %first to i64
  %there = getelementptr <4 x half>, ptr %table, i64 %place
  %halves = load <4 x half>, ptr %there, align 2
  %numbers = fptoui <4 x half> %halves to <4 x i8>
  %z = add <4 x i8> %y, %numbers
  %three = shufflevector <4 x i8> %z, <4 x i8> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>
  %to = getelementptr <4 x i8>, ptr %out, i64 %i
  store <4 x i8> %three, ptr %to, align 1
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
