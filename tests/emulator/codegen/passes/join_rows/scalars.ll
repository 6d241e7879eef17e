; A loop over work-items one by one shares no vectors, and stays.
; RUN: us-opt -passes=join_rows -kernel=k -target=avx2 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK-COUNT-1: store float
; CHECK-NOT: store
; CHECK: ret void
define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %of.a = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %of.a
  %of.b = getelementptr float, ptr addrspace(1) %b, i64 %i
  store float %x, ptr addrspace(1) %of.b
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 16
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.parallel_accesses", !2}
!2 = distinct !{}
