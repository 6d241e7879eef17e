; A loop that writes is done once.
; RUN: us-opt -passes=split_sums -kernel=k -target=avx2 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK-COUNT-16: phi <8 x float>
; CHECK: br i1
; CHECK-NOT: phi
; CHECK: ret void
define void @k(ptr addrspace(3) %p, ptr addrspace(3) %q, ptr addrspace(1) %out) {
entry:
  br label %turns
turns:
  %k = phi i64 [ 0, %entry ], [ %k.next, %turns ]
  %s0 = phi <8 x float> [ zeroinitializer, %entry ], [ %sum0, %turns ]
  %s1 = phi <8 x float> [ zeroinitializer, %entry ], [ %sum1, %turns ]
  %s2 = phi <8 x float> [ zeroinitializer, %entry ], [ %sum2, %turns ]
  %s3 = phi <8 x float> [ zeroinitializer, %entry ], [ %sum3, %turns ]
  %s4 = phi <8 x float> [ zeroinitializer, %entry ], [ %sum4, %turns ]
  %s5 = phi <8 x float> [ zeroinitializer, %entry ], [ %sum5, %turns ]
  %s6 = phi <8 x float> [ zeroinitializer, %entry ], [ %sum6, %turns ]
  %s7 = phi <8 x float> [ zeroinitializer, %entry ], [ %sum7, %turns ]
  %s8 = phi <8 x float> [ zeroinitializer, %entry ], [ %sum8, %turns ]
  %s9 = phi <8 x float> [ zeroinitializer, %entry ], [ %sum9, %turns ]
  %s10 = phi <8 x float> [ zeroinitializer, %entry ], [ %sum10, %turns ]
  %s11 = phi <8 x float> [ zeroinitializer, %entry ], [ %sum11, %turns ]
  %s12 = phi <8 x float> [ zeroinitializer, %entry ], [ %sum12, %turns ]
  %s13 = phi <8 x float> [ zeroinitializer, %entry ], [ %sum13, %turns ]
  %s14 = phi <8 x float> [ zeroinitializer, %entry ], [ %sum14, %turns ]
  %s15 = phi <8 x float> [ zeroinitializer, %entry ], [ %sum15, %turns ]
  %of.q = getelementptr <8 x float>, ptr addrspace(3) %q, i64 %k
  %z = load <8 x float>, ptr addrspace(3) %of.q
  store <8 x float> %s0, ptr addrspace(1) %out
  %of.p0 = getelementptr [16 x <8 x float>], ptr addrspace(3) %p, i64 %k, i64 0
  %x0 = load <8 x float>, ptr addrspace(3) %of.p0
  %product0 = fmul <8 x float> %x0, %z
  %sum0 = fadd <8 x float> %s0, %product0
  %of.p1 = getelementptr [16 x <8 x float>], ptr addrspace(3) %p, i64 %k, i64 1
  %x1 = load <8 x float>, ptr addrspace(3) %of.p1
  %product1 = fmul <8 x float> %x1, %z
  %sum1 = fadd <8 x float> %s1, %product1
  %of.p2 = getelementptr [16 x <8 x float>], ptr addrspace(3) %p, i64 %k, i64 2
  %x2 = load <8 x float>, ptr addrspace(3) %of.p2
  %product2 = fmul <8 x float> %x2, %z
  %sum2 = fadd <8 x float> %s2, %product2
  %of.p3 = getelementptr [16 x <8 x float>], ptr addrspace(3) %p, i64 %k, i64 3
  %x3 = load <8 x float>, ptr addrspace(3) %of.p3
  %product3 = fmul <8 x float> %x3, %z
  %sum3 = fadd <8 x float> %s3, %product3
  %of.p4 = getelementptr [16 x <8 x float>], ptr addrspace(3) %p, i64 %k, i64 4
  %x4 = load <8 x float>, ptr addrspace(3) %of.p4
  %product4 = fmul <8 x float> %x4, %z
  %sum4 = fadd <8 x float> %s4, %product4
  %of.p5 = getelementptr [16 x <8 x float>], ptr addrspace(3) %p, i64 %k, i64 5
  %x5 = load <8 x float>, ptr addrspace(3) %of.p5
  %product5 = fmul <8 x float> %x5, %z
  %sum5 = fadd <8 x float> %s5, %product5
  %of.p6 = getelementptr [16 x <8 x float>], ptr addrspace(3) %p, i64 %k, i64 6
  %x6 = load <8 x float>, ptr addrspace(3) %of.p6
  %product6 = fmul <8 x float> %x6, %z
  %sum6 = fadd <8 x float> %s6, %product6
  %of.p7 = getelementptr [16 x <8 x float>], ptr addrspace(3) %p, i64 %k, i64 7
  %x7 = load <8 x float>, ptr addrspace(3) %of.p7
  %product7 = fmul <8 x float> %x7, %z
  %sum7 = fadd <8 x float> %s7, %product7
  %of.p8 = getelementptr [16 x <8 x float>], ptr addrspace(3) %p, i64 %k, i64 8
  %x8 = load <8 x float>, ptr addrspace(3) %of.p8
  %product8 = fmul <8 x float> %x8, %z
  %sum8 = fadd <8 x float> %s8, %product8
  %of.p9 = getelementptr [16 x <8 x float>], ptr addrspace(3) %p, i64 %k, i64 9
  %x9 = load <8 x float>, ptr addrspace(3) %of.p9
  %product9 = fmul <8 x float> %x9, %z
  %sum9 = fadd <8 x float> %s9, %product9
  %of.p10 = getelementptr [16 x <8 x float>], ptr addrspace(3) %p, i64 %k, i64 10
  %x10 = load <8 x float>, ptr addrspace(3) %of.p10
  %product10 = fmul <8 x float> %x10, %z
  %sum10 = fadd <8 x float> %s10, %product10
  %of.p11 = getelementptr [16 x <8 x float>], ptr addrspace(3) %p, i64 %k, i64 11
  %x11 = load <8 x float>, ptr addrspace(3) %of.p11
  %product11 = fmul <8 x float> %x11, %z
  %sum11 = fadd <8 x float> %s11, %product11
  %of.p12 = getelementptr [16 x <8 x float>], ptr addrspace(3) %p, i64 %k, i64 12
  %x12 = load <8 x float>, ptr addrspace(3) %of.p12
  %product12 = fmul <8 x float> %x12, %z
  %sum12 = fadd <8 x float> %s12, %product12
  %of.p13 = getelementptr [16 x <8 x float>], ptr addrspace(3) %p, i64 %k, i64 13
  %x13 = load <8 x float>, ptr addrspace(3) %of.p13
  %product13 = fmul <8 x float> %x13, %z
  %sum13 = fadd <8 x float> %s13, %product13
  %of.p14 = getelementptr [16 x <8 x float>], ptr addrspace(3) %p, i64 %k, i64 14
  %x14 = load <8 x float>, ptr addrspace(3) %of.p14
  %product14 = fmul <8 x float> %x14, %z
  %sum14 = fadd <8 x float> %s14, %product14
  %of.p15 = getelementptr [16 x <8 x float>], ptr addrspace(3) %p, i64 %k, i64 15
  %x15 = load <8 x float>, ptr addrspace(3) %of.p15
  %product15 = fmul <8 x float> %x15, %z
  %sum15 = fadd <8 x float> %s15, %product15
  %k.next = add nuw nsw i64 %k, 1
  %more = icmp ult i64 %k.next, 16
  br i1 %more, label %turns, label %done
done:
  %to0 = getelementptr <8 x float>, ptr addrspace(1) %out, i64 0
  store <8 x float> %sum0, ptr addrspace(1) %to0
  %to1 = getelementptr <8 x float>, ptr addrspace(1) %out, i64 1
  store <8 x float> %sum1, ptr addrspace(1) %to1
  %to2 = getelementptr <8 x float>, ptr addrspace(1) %out, i64 2
  store <8 x float> %sum2, ptr addrspace(1) %to2
  %to3 = getelementptr <8 x float>, ptr addrspace(1) %out, i64 3
  store <8 x float> %sum3, ptr addrspace(1) %to3
  %to4 = getelementptr <8 x float>, ptr addrspace(1) %out, i64 4
  store <8 x float> %sum4, ptr addrspace(1) %to4
  %to5 = getelementptr <8 x float>, ptr addrspace(1) %out, i64 5
  store <8 x float> %sum5, ptr addrspace(1) %to5
  %to6 = getelementptr <8 x float>, ptr addrspace(1) %out, i64 6
  store <8 x float> %sum6, ptr addrspace(1) %to6
  %to7 = getelementptr <8 x float>, ptr addrspace(1) %out, i64 7
  store <8 x float> %sum7, ptr addrspace(1) %to7
  %to8 = getelementptr <8 x float>, ptr addrspace(1) %out, i64 8
  store <8 x float> %sum8, ptr addrspace(1) %to8
  %to9 = getelementptr <8 x float>, ptr addrspace(1) %out, i64 9
  store <8 x float> %sum9, ptr addrspace(1) %to9
  %to10 = getelementptr <8 x float>, ptr addrspace(1) %out, i64 10
  store <8 x float> %sum10, ptr addrspace(1) %to10
  %to11 = getelementptr <8 x float>, ptr addrspace(1) %out, i64 11
  store <8 x float> %sum11, ptr addrspace(1) %to11
  %to12 = getelementptr <8 x float>, ptr addrspace(1) %out, i64 12
  store <8 x float> %sum12, ptr addrspace(1) %to12
  %to13 = getelementptr <8 x float>, ptr addrspace(1) %out, i64 13
  store <8 x float> %sum13, ptr addrspace(1) %to13
  %to14 = getelementptr <8 x float>, ptr addrspace(1) %out, i64 14
  store <8 x float> %sum14, ptr addrspace(1) %to14
  %to15 = getelementptr <8 x float>, ptr addrspace(1) %out, i64 15
  store <8 x float> %sum15, ptr addrspace(1) %to15
  ret void
}
