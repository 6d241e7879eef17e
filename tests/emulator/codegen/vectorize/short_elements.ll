; Where nearly all elements are bytes, there are as many lanes as fit a register, if rows are long enough.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -target=avx512 %s | FileCheck %s --check-prefix=LONG
; RUN: us-opt -passes=vectorize_work_items -kernel=k -target=avx2 %s | FileCheck %s --check-prefix=SHORTER
; RUN: sed 's/, 128$/, 144/' %s | us-opt -passes=vectorize_work_items -kernel=k -target=avx512 | FileCheck %s --check-prefix=ODD

; LONG-LABEL: @k
; LONG: load <64 x i8>
; SHORTER-LABEL: @k
; SHORTER: load <32 x i8>
; ODD-LABEL: @k
; ODD: load <16 x i8>
define void @k(ptr %in, ptr %out) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %from = getelementptr i8, ptr %in, i64 %i
  %x = load i8, ptr %from
  br label %halve
halve:
  %y = phi i8 [ %x, %items ], [ %half, %halve ]
  %half = lshr i8 %y, 1
  %more = icmp ugt i8 %half, 7
  br i1 %more, label %halve, label %end
end:
  %to = getelementptr i8, ptr %out, i64 %i
  store i8 %half, ptr %to
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, 128
  br i1 %again, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
