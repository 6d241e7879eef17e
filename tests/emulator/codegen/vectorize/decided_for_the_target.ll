; What is worth it depends on the processor that code is made for, not on the one that makes it: masked accesses of bytes
; side by side are done one by one where there are no such instructions.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -target=avx512 %s | FileCheck %s
; RUN: us-opt -passes=vectorize_work_items -kernel=k -target=avx512-256 %s | FileCheck %s
; RUN: us-opt -passes=vectorize_work_items -kernel=k -target=avx512-no-gather %s | FileCheck %s
; RUN: us-opt -passes=vectorize_work_items -kernel=k -target=avx2-gather %s | FileCheck --check-prefix=STAYS %s
; RUN: us-opt -passes=vectorize_work_items -kernel=k -target=avx2 %s | FileCheck --check-prefix=STAYS %s
; RUN: us-opt -passes=vectorize_work_items -kernel=k -target=sse4.2 %s | FileCheck --check-prefix=STAYS %s

; CHECK: call <16 x i8> @llvm.masked.load
; CHECK: call void @llvm.masked.store
; STAYS-NOT: wide
define void @k(ptr %in, ptr %out) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %given = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %given
  %positive = icmp sgt i32 %x, 0
  br i1 %positive, label %some, label %end
some:
  %from = getelementptr i8, ptr %out, i64 %i
  %a = load i8, ptr %from
  %b = add i8 %a, 1
  store i8 %b, ptr %from
  br label %end
end:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
