; Of private memory each element lies beside those of the other work-items: what all index alike is one access. A place
; that was calculated before the loop is one of each work-item, too.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: %memory.lanes = alloca [6400 x i8], align 64
; CHECK: wide:
; CHECK: store <16 x i32> {{.*}}, ptr {{.*}}, align 64
; CHECK: store <16 x i32> {{.*}}, ptr {{.*}}, align 64
; CHECK: call <16 x i32> @llvm.masked.gather
define void @k(ptr %in, ptr %out) {
entry:
  %memory = alloca [100 x i32], !us.private !2
  %third = getelementptr i32, ptr %memory, i64 3
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %from = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %from
  store i32 %x, ptr %memory
  store i32 7, ptr %third
  %some = and i32 %x, 3
  %index = zext i32 %some to i64
  %at = getelementptr i32, ptr %memory, i64 %index
  %y = load i32, ptr %at
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %y, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
!2 = !{}
