; The two vectors of a row share what is splatted, and four rows what the vectors read: two loads for eight products.
; RUN: us-opt -passes=join_rows -kernel=k -target=avx2 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: vectors:
; CHECK-COUNT-2: load <8 x float>
; CHECK-NOT: load <8 x float>
; CHECK-NOT: label %vectors
; CHECK: ret void
define void @k(ptr addrspace(3) %p, ptr addrspace(3) %q, ptr addrspace(1) %sums) {
entry:
  br label %rows
rows:
  %y = phi i64 [ 0, %entry ], [ %y.next, %end ]
  %of.p = getelementptr float, ptr addrspace(3) %p, i64 %y
  %x = load float, ptr addrspace(3) %of.p
  %x0 = insertelement <8 x float> poison, float %x, i64 0
  %xs = shufflevector <8 x float> %x0, <8 x float> poison, <8 x i32> zeroinitializer
  br label %vectors
vectors:
  %i = phi i64 [ 0, %rows ], [ %i.next, %vectors ]
  %of.q = getelementptr float, ptr addrspace(3) %q, i64 %i
  %z = load <8 x float>, ptr addrspace(3) %of.q
  %product = fmul <8 x float> %xs, %z
  %of.sums = getelementptr [16 x float], ptr addrspace(1) %sums, i64 %y, i64 %i
  store <8 x float> %product, ptr addrspace(1) %of.sums
  %i.next = add nuw nsw i64 %i, 8
  %more = icmp ult i64 %i.next, 16
  br i1 %more, label %vectors, label %end, !llvm.loop !3
end:
  %y.next = add nuw nsw i64 %y, 1
  %more.rows = icmp ult i64 %y.next, 16
  br i1 %more.rows, label %rows, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.parallel_accesses", !2}
!2 = distinct !{}
!3 = distinct !{!3, !1}
