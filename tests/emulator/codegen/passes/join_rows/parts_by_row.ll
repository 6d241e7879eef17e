; Rows that go different ways are not joined.
; RUN: us-opt -passes=join_rows -kernel=k -target=avx2 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: phi <8 x float>
; CHECK-NOT: phi <8 x float>
; CHECK: ret void
define void @k(ptr addrspace(3) %p, ptr addrspace(3) %q, ptr addrspace(1) %sums) {
entry:
  br label %rows
rows:
  %y = phi i64 [ 0, %entry ], [ %y.next, %end ]
  br label %turns
turns:
  %k = phi i64 [ 0, %rows ], [ %k.next, %turns ]
  %s = phi <8 x float> [ zeroinitializer, %rows ], [ %sum, %turns ]
  %of.p = getelementptr [16 x float], ptr addrspace(3) %p, i64 %y, i64 %k
  %x = load float, ptr addrspace(3) %of.p
  %x0 = insertelement <8 x float> poison, float %x, i64 0
  %xs = shufflevector <8 x float> %x0, <8 x float> poison, <8 x i32> zeroinitializer
  %of.q = getelementptr [8 x float], ptr addrspace(3) %q, i64 %k
  %z = load <8 x float>, ptr addrspace(3) %of.q
  %sum = call <8 x float> @llvm.fma.v8f32(<8 x float> %xs, <8 x float> %z, <8 x float> %s)
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %k.next, %y
  br i1 %more, label %turns, label %end
end:
  %of.sums = getelementptr [8 x float], ptr addrspace(1) %sums, i64 %y
  store <8 x float> %sum, ptr addrspace(1) %of.sums
  %y.next = add nuw nsw i64 %y, 1
  %more.rows = icmp ult i64 %y.next, 16
  br i1 %more.rows, label %rows, label %done, !llvm.loop !0
done:
  ret void
}
declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.parallel_accesses", !2}
!2 = distinct !{}
