; Work-items that stay scalar because they would gather, and that wait for one load after another longer than the
; processor looks ahead, are interleaved by the loop vectorizer: four here. Where gathers are quick they are vectors, of
; the loop vectorizer's, and where a turn is short the processor does several at a time by itself.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -target=avx2 %s | FileCheck %s
; RUN: us-opt -passes=vectorize_work_items -kernel=k -target=sse4.2 %s | FileCheck %s
; RUN: us-opt -passes=vectorize_work_items -kernel=k -target=avx512 %s | FileCheck %s --check-prefix=VECTORS

; CHECK-LABEL: @k
; CHECK: br i1 %more, label %items, label %between, !llvm.loop [[LONG:![0-9]+]]
; CHECK: br i1 %again, label %short, label %done, !llvm.loop [[SHORT:![0-9]+]]
; CHECK: [[LONG]] = distinct !{[[LONG]], {{.*}}[[WIDTH:![0-9]+]], [[COUNT:![0-9]+]]}
; CHECK-DAG: [[WIDTH]] = !{!"llvm.loop.vectorize.width", i32 1}
; CHECK-DAG: [[COUNT]] = !{!"llvm.loop.interleave.count", i32 4}
; CHECK-NOT: interleave.count
; VECTORS-NOT: interleave.count
define void @k(ptr noalias %in, ptr noalias %table, ptr noalias %out) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %from = getelementptr i32, ptr %in, i64 %i
  %x0 = load i32, ptr %from
  %b0 = and i32 %x0, 255
  %n0 = zext nneg i32 %b0 to i64
  %p0 = getelementptr i32, ptr %table, i64 %n0
  %e0 = load i32, ptr %p0
  %x1 = xor i32 %e0, 1
  %b1 = and i32 %x1, 255
  %n1 = zext nneg i32 %b1 to i64
  %p1 = getelementptr i32, ptr %table, i64 %n1
  %e1 = load i32, ptr %p1
  %x2 = xor i32 %e1, 2
  %b2 = and i32 %x2, 255
  %n2 = zext nneg i32 %b2 to i64
  %p2 = getelementptr i32, ptr %table, i64 %n2
  %e2 = load i32, ptr %p2
  %x3 = xor i32 %e2, 3
  %b3 = and i32 %x3, 255
  %n3 = zext nneg i32 %b3 to i64
  %p3 = getelementptr i32, ptr %table, i64 %n3
  %e3 = load i32, ptr %p3
  %x4 = xor i32 %e3, 4
  %b4 = and i32 %x4, 255
  %n4 = zext nneg i32 %b4 to i64
  %p4 = getelementptr i32, ptr %table, i64 %n4
  %e4 = load i32, ptr %p4
  %x5 = xor i32 %e4, 5
  %b5 = and i32 %x5, 255
  %n5 = zext nneg i32 %b5 to i64
  %p5 = getelementptr i32, ptr %table, i64 %n5
  %e5 = load i32, ptr %p5
  %x6 = xor i32 %e5, 6
  %b6 = and i32 %x6, 255
  %n6 = zext nneg i32 %b6 to i64
  %p6 = getelementptr i32, ptr %table, i64 %n6
  %e6 = load i32, ptr %p6
  %x7 = xor i32 %e6, 7
  %b7 = and i32 %x7, 255
  %n7 = zext nneg i32 %b7 to i64
  %p7 = getelementptr i32, ptr %table, i64 %n7
  %e7 = load i32, ptr %p7
  %x8 = xor i32 %e7, 8
  %b8 = and i32 %x8, 255
  %n8 = zext nneg i32 %b8 to i64
  %p8 = getelementptr i32, ptr %table, i64 %n8
  %e8 = load i32, ptr %p8
  %x9 = xor i32 %e8, 9
  %b9 = and i32 %x9, 255
  %n9 = zext nneg i32 %b9 to i64
  %p9 = getelementptr i32, ptr %table, i64 %n9
  %e9 = load i32, ptr %p9
  %x10 = xor i32 %e9, 10
  %b10 = and i32 %x10, 255
  %n10 = zext nneg i32 %b10 to i64
  %p10 = getelementptr i32, ptr %table, i64 %n10
  %e10 = load i32, ptr %p10
  %x11 = xor i32 %e10, 11
  %b11 = and i32 %x11, 255
  %n11 = zext nneg i32 %b11 to i64
  %p11 = getelementptr i32, ptr %table, i64 %n11
  %e11 = load i32, ptr %p11
  %x12 = xor i32 %e11, 12
  %b12 = and i32 %x12, 255
  %n12 = zext nneg i32 %b12 to i64
  %p12 = getelementptr i32, ptr %table, i64 %n12
  %e12 = load i32, ptr %p12
  %x13 = xor i32 %e12, 13
  %b13 = and i32 %x13, 255
  %n13 = zext nneg i32 %b13 to i64
  %p13 = getelementptr i32, ptr %table, i64 %n13
  %e13 = load i32, ptr %p13
  %x14 = xor i32 %e13, 14
  %b14 = and i32 %x14, 255
  %n14 = zext nneg i32 %b14 to i64
  %p14 = getelementptr i32, ptr %table, i64 %n14
  %e14 = load i32, ptr %p14
  %x15 = xor i32 %e14, 15
  %b15 = and i32 %x15, 255
  %n15 = zext nneg i32 %b15 to i64
  %p15 = getelementptr i32, ptr %table, i64 %n15
  %e15 = load i32, ptr %p15
  %x16 = xor i32 %e15, 16
  %b16 = and i32 %x16, 255
  %n16 = zext nneg i32 %b16 to i64
  %p16 = getelementptr i32, ptr %table, i64 %n16
  %e16 = load i32, ptr %p16
  %x17 = xor i32 %e16, 17
  %b17 = and i32 %x17, 255
  %n17 = zext nneg i32 %b17 to i64
  %p17 = getelementptr i32, ptr %table, i64 %n17
  %e17 = load i32, ptr %p17
  %x18 = xor i32 %e17, 18
  %b18 = and i32 %x18, 255
  %n18 = zext nneg i32 %b18 to i64
  %p18 = getelementptr i32, ptr %table, i64 %n18
  %e18 = load i32, ptr %p18
  %x19 = xor i32 %e18, 19
  %b19 = and i32 %x19, 255
  %n19 = zext nneg i32 %b19 to i64
  %p19 = getelementptr i32, ptr %table, i64 %n19
  %e19 = load i32, ptr %p19
  %x20 = xor i32 %e19, 20
  %b20 = and i32 %x20, 255
  %n20 = zext nneg i32 %b20 to i64
  %p20 = getelementptr i32, ptr %table, i64 %n20
  %e20 = load i32, ptr %p20
  %x21 = xor i32 %e20, 21
  %b21 = and i32 %x21, 255
  %n21 = zext nneg i32 %b21 to i64
  %p21 = getelementptr i32, ptr %table, i64 %n21
  %e21 = load i32, ptr %p21
  %x22 = xor i32 %e21, 22
  %b22 = and i32 %x22, 255
  %n22 = zext nneg i32 %b22 to i64
  %p22 = getelementptr i32, ptr %table, i64 %n22
  %e22 = load i32, ptr %p22
  %x23 = xor i32 %e22, 23
  %b23 = and i32 %x23, 255
  %n23 = zext nneg i32 %b23 to i64
  %p23 = getelementptr i32, ptr %table, i64 %n23
  %e23 = load i32, ptr %p23
  %x24 = xor i32 %e23, 24
  %b24 = and i32 %x24, 255
  %n24 = zext nneg i32 %b24 to i64
  %p24 = getelementptr i32, ptr %table, i64 %n24
  %e24 = load i32, ptr %p24
  %x25 = xor i32 %e24, 25
  %b25 = and i32 %x25, 255
  %n25 = zext nneg i32 %b25 to i64
  %p25 = getelementptr i32, ptr %table, i64 %n25
  %e25 = load i32, ptr %p25
  %x26 = xor i32 %e25, 26
  %b26 = and i32 %x26, 255
  %n26 = zext nneg i32 %b26 to i64
  %p26 = getelementptr i32, ptr %table, i64 %n26
  %e26 = load i32, ptr %p26
  %x27 = xor i32 %e26, 27
  %b27 = and i32 %x27, 255
  %n27 = zext nneg i32 %b27 to i64
  %p27 = getelementptr i32, ptr %table, i64 %n27
  %e27 = load i32, ptr %p27
  %x28 = xor i32 %e27, 28
  %b28 = and i32 %x28, 255
  %n28 = zext nneg i32 %b28 to i64
  %p28 = getelementptr i32, ptr %table, i64 %n28
  %e28 = load i32, ptr %p28
  %x29 = xor i32 %e28, 29
  %b29 = and i32 %x29, 255
  %n29 = zext nneg i32 %b29 to i64
  %p29 = getelementptr i32, ptr %table, i64 %n29
  %e29 = load i32, ptr %p29
  %x30 = xor i32 %e29, 30
  %b30 = and i32 %x30, 255
  %n30 = zext nneg i32 %b30 to i64
  %p30 = getelementptr i32, ptr %table, i64 %n30
  %e30 = load i32, ptr %p30
  %x31 = xor i32 %e30, 31
  %b31 = and i32 %x31, 255
  %n31 = zext nneg i32 %b31 to i64
  %p31 = getelementptr i32, ptr %table, i64 %n31
  %e31 = load i32, ptr %p31
  %x32 = xor i32 %e31, 32
  %b32 = and i32 %x32, 255
  %n32 = zext nneg i32 %b32 to i64
  %p32 = getelementptr i32, ptr %table, i64 %n32
  %e32 = load i32, ptr %p32
  %x33 = xor i32 %e32, 33
  %b33 = and i32 %x33, 255
  %n33 = zext nneg i32 %b33 to i64
  %p33 = getelementptr i32, ptr %table, i64 %n33
  %e33 = load i32, ptr %p33
  %x34 = xor i32 %e33, 34
  %b34 = and i32 %x34, 255
  %n34 = zext nneg i32 %b34 to i64
  %p34 = getelementptr i32, ptr %table, i64 %n34
  %e34 = load i32, ptr %p34
  %x35 = xor i32 %e34, 35
  %b35 = and i32 %x35, 255
  %n35 = zext nneg i32 %b35 to i64
  %p35 = getelementptr i32, ptr %table, i64 %n35
  %e35 = load i32, ptr %p35
  %x36 = xor i32 %e35, 36
  %b36 = and i32 %x36, 255
  %n36 = zext nneg i32 %b36 to i64
  %p36 = getelementptr i32, ptr %table, i64 %n36
  %e36 = load i32, ptr %p36
  %x37 = xor i32 %e36, 37
  %b37 = and i32 %x37, 255
  %n37 = zext nneg i32 %b37 to i64
  %p37 = getelementptr i32, ptr %table, i64 %n37
  %e37 = load i32, ptr %p37
  %x38 = xor i32 %e37, 38
  %b38 = and i32 %x38, 255
  %n38 = zext nneg i32 %b38 to i64
  %p38 = getelementptr i32, ptr %table, i64 %n38
  %e38 = load i32, ptr %p38
  %x39 = xor i32 %e38, 39
  %b39 = and i32 %x39, 255
  %n39 = zext nneg i32 %b39 to i64
  %p39 = getelementptr i32, ptr %table, i64 %n39
  %e39 = load i32, ptr %p39
  %x40 = xor i32 %e39, 40
  %b40 = and i32 %x40, 255
  %n40 = zext nneg i32 %b40 to i64
  %p40 = getelementptr i32, ptr %table, i64 %n40
  %e40 = load i32, ptr %p40
  %x41 = xor i32 %e40, 41
  %b41 = and i32 %x41, 255
  %n41 = zext nneg i32 %b41 to i64
  %p41 = getelementptr i32, ptr %table, i64 %n41
  %e41 = load i32, ptr %p41
  %x42 = xor i32 %e41, 42
  %b42 = and i32 %x42, 255
  %n42 = zext nneg i32 %b42 to i64
  %p42 = getelementptr i32, ptr %table, i64 %n42
  %e42 = load i32, ptr %p42
  %x43 = xor i32 %e42, 43
  %b43 = and i32 %x43, 255
  %n43 = zext nneg i32 %b43 to i64
  %p43 = getelementptr i32, ptr %table, i64 %n43
  %e43 = load i32, ptr %p43
  %x44 = xor i32 %e43, 44
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %x44, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 4096
  br i1 %more, label %items, label %between, !llvm.loop !0
between:
  br label %short
short:
  %j = phi i64 [ 0, %between ], [ %after, %short ]
  %given = getelementptr i32, ptr %in, i64 %j
  %y0 = load i32, ptr %given
  %c0 = and i32 %y0, 255
  %d0 = zext nneg i32 %c0 to i64
  %q0 = getelementptr i32, ptr %table, i64 %d0
  %y1 = load i32, ptr %q0
  %there = getelementptr i32, ptr %out, i64 %j
  store i32 %y1, ptr %there
  %after = add nuw nsw i64 %j, 1
  %again = icmp ult i64 %after, 4096
  br i1 %again, label %short, label %done, !llvm.loop !2
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
!2 = distinct !{!2, !1}
