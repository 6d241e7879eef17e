; Of elements shorter than a word all of what lies there must be asked for: bytes of all members are stored in one
; piece, two of four are loaded apart.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 -target=avx512 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: call <[[N:[0-9]+]] x i32> @llvm.masked.gather
; CHECK: call <[[N]] x i32> @llvm.masked.gather
; CHECK-NOT: scatter
; CHECK: store <{{[0-9]+}} x i8> {{.*}}, ptr {{.*}}, align 1
; CHECK-NOT: scatter
define void @k(ptr %in, ptr %out) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %a = getelementptr [4 x i8], ptr %in, i64 %i
  %x = load i8, ptr %a
  %b = getelementptr i8, ptr %a, i64 2
  %y = load i8, ptr %b
  %c = getelementptr [2 x i8], ptr %out, i64 %i
  store i8 %y, ptr %c
  %d = getelementptr i8, ptr %c, i64 1
  store i8 %x, ptr %d
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
