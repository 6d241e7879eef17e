; For processors with mask registers, a mask that chooses between a number and the same one with bits of another chooses
; whose bits they are, on either side; where not all bits come of one of the two, and for others, it stays.
; RUN: us-opt -passes=expand_masks -kernel=k -target=avx512 %s | FileCheck %s
; RUN: us-opt -passes=expand_masks -kernel=k -target=avx2 %s | FileCheck %s --check-prefix=AVX2

; CHECK-LABEL: @k
; CHECK: [[FROM:%.*]] = select <2 x i1> %m, <2 x i32> %x, <2 x i32> %y
; CHECK-NEXT: [[OWN:%.*]] = and <2 x i32> %y, <i32 -4, i32 -8>
; CHECK-NEXT: [[OTHERS:%.*]] = and <2 x i32> [[FROM]], <i32 3, i32 7>
; CHECK-NEXT: %s = or <2 x i32> [[OWN]], [[OTHERS]]
; CHECK: [[FROM:%.*]] = select <2 x i1> %m, <2 x i32> %s, <2 x i32> %y
; CHECK-NEXT: [[OWN:%.*]] = and <2 x i32> %s, <i32 -4, i32 -4>
; CHECK-NEXT: [[OTHERS:%.*]] = and <2 x i32> [[FROM]], <i32 3, i32 3>
; CHECK-NEXT: %t = or <2 x i32> [[OWN]], [[OTHERS]]
; CHECK: %u = select <2 x i1> %m, <2 x i32> %u3, <2 x i32> %x
; AVX2: %s = select
; AVX2: %t = select
; AVX2: %u = select
define void @k(<2 x i1> %m, <2 x i32> %x, <2 x i32> %y, ptr %out) {
  %s1 = and <2 x i32> %x, <i32 3, i32 7>
  %s2 = and <2 x i32> %y, <i32 -4, i32 -8>
  %s3 = or disjoint <2 x i32> %s1, %s2
  %s = select <2 x i1> %m, <2 x i32> %s3, <2 x i32> %y
  %t1 = and <2 x i32> %s, <i32 -4, i32 -4>
  %t2 = and <2 x i32> %y, <i32 3, i32 3>
  %t3 = or <2 x i32> %t1, %t2
  %t = select <2 x i1> %m, <2 x i32> %s, <2 x i32> %t3
  %u1 = and <2 x i32> %t, <i32 3, i32 3>
  %u2 = and <2 x i32> %x, <i32 -8, i32 -8>
  %u3 = or <2 x i32> %u1, %u2
  %u = select <2 x i1> %m, <2 x i32> %u3, <2 x i32> %x
  store <2 x i32> %u, ptr %out
  ret void
}
