; Small work, work that somebody else needs, loads before a store, and scalars stay where they are.
; RUN: us-opt -passes=skip_unselected_work %s | FileCheck %s
; CHECK-NOT: br i1

define <4 x float> @small(<4 x float> %x) {
  %mask = fcmp ogt <4 x float> %x, zeroinitializer
  %a = fdiv <4 x float> %x, <float 1.0, float 2.0, float 3.0, float 4.0>
  %b = fdiv <4 x float> %a, %x
  %r = select <4 x i1> %mask, <4 x float> %b, <4 x float> %x
  ret <4 x float> %r
}

define <4 x float> @needed_elsewhere(<4 x float> %x) {
  %mask = fcmp ogt <4 x float> %x, zeroinitializer
  %a = fdiv <4 x float> %x, <float 1.0, float 2.0, float 3.0, float 4.0>
  %b = fdiv <4 x float> %a, %x
  %c = fdiv <4 x float> %b, %a
  %d = fdiv <4 x float> %c, %b
  %r = select <4 x i1> %mask, <4 x float> %d, <4 x float> %x
  %s = fadd <4 x float> %r, %d
  ret <4 x float> %s
}

define <4 x float> @load_before_store(<4 x float> %x, ptr %p) {
  %mask = fcmp ogt <4 x float> %x, zeroinitializer
  %p1 = getelementptr i8, ptr %p, i64 16
  %p2 = getelementptr i8, ptr %p, i64 32
  %l = load <4 x float>, ptr %p
  %l1 = load <4 x float>, ptr %p1
  %l2 = load <4 x float>, ptr %p2
  %s1 = fadd <4 x float> %l, %l1
  %s2 = fadd <4 x float> %s1, %l2
  %s3 = fmul <4 x float> %s2, %l1
  %s4 = fmul <4 x float> %s3, %l2
  %b = fdiv <4 x float> %s4, %x
  %c = fdiv <4 x float> %b, %s1
  store <4 x float> %x, ptr %p
  %r = select <4 x i1> %mask, <4 x float> %c, <4 x float> %x
  ret <4 x float> %r
}

define float @scalar(float %x) {
  %mask = fcmp ogt float %x, 0.0
  %a = fdiv float %x, 3.0
  %b = fdiv float %a, %x
  %c = fdiv float %b, %a
  %d = fdiv float %c, %b
  %r = select i1 %mask, float %d, float %x
  ret float %r
}
