; Fills and copies of private memory are accesses to elements like the others.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: %counts.lanes = alloca [6400 x i8], align 64
; CHECK: wide:
; CHECK-NOT: call void @llvm.mem
; CHECK: store <16 x i32> <i32 16843009, i32 16843009, {{.*}}>, ptr {{.*}}, align 64
; CHECK: load i32, ptr
; CHECK: load i32, ptr
; CHECK: store <16 x i32> {{.*}}, align 64
; CHECK: call <16 x i32> @llvm.masked.gather
; CHECK: rest:
define void @k(ptr %in, ptr %out) {
entry:
  %counts = alloca [100 x i32], !us.private !2
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  call void @llvm.memset.p0.i64(ptr align 4 %counts, i8 1, i64 8, i1 false)
  %third = getelementptr i32, ptr %counts, i64 2
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %third, ptr align 4 %in, i64 8, i1 false)
  %from = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %from
  %some = and i32 %x, 3
  %index = zext i32 %some to i64
  %at = getelementptr i32, ptr %counts, i64 %index
  %y = load i32, ptr %at
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %y, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
!2 = !{}
