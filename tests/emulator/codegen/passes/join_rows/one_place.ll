; A place in local memory that each row writes for itself, and reads, is for one row after the other.
; RUN: us-opt -passes=join_rows -kernel=k -target=avx2 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: store <8 x float> %sum, ptr addrspace(3) %place
; CHECK-NOT: store <8 x float> {{.*}}, ptr addrspace(3)
; CHECK: ret void
define void @k(ptr addrspace(3) %p, ptr addrspace(3) %q, ptr addrspace(3) %place, ptr addrspace(1) %sums) {
entry:
  br label %rows
rows:
  %y = phi i64 [ 0, %entry ], [ %y.next, %rows ]
  %of.p = getelementptr [8 x float], ptr addrspace(3) %p, i64 %y
  %x = load <8 x float>, ptr addrspace(3) %of.p
  %z = load <8 x float>, ptr addrspace(3) %q
  %sum = fadd <8 x float> %x, %z
  store <8 x float> %sum, ptr addrspace(3) %place
  %again = load <8 x float>, ptr addrspace(3) %place
  %of.sums = getelementptr [8 x float], ptr addrspace(1) %sums, i64 %y
  store <8 x float> %again, ptr addrspace(1) %of.sums
  %y.next = add nuw nsw i64 %y, 1
  %more.rows = icmp ult i64 %y.next, 16
  br i1 %more.rows, label %rows, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.parallel_accesses", !2}
!2 = distinct !{}
