; What Clang folded to poison, or SPIR-V leaves undefined, is 0, in elements too; the placeholders of vector instructions stay.
; RUN: us-opt -passes=guard_undefined_operations %s | FileCheck %s

; CHECK-LABEL: @scalars
define i32 @scalars(i32 %a, ptr %p) {
entry:
  ; CHECK: store i32 0, ptr %p
  store i32 poison, ptr %p
  ; CHECK-NEXT: store <4 x i32> <i32 1, i32 0, i32 3, i32 0>, ptr %p
  store <4 x i32> <i32 1, i32 poison, i32 3, i32 poison>, ptr %p
  ; CHECK-NEXT: store { i32, [2 x float] } { i32 5, [2 x float] [float 0.000000e+00, float 1.000000e+00] }, ptr %p
  store { i32, [2 x float] } { i32 5, [2 x float] [float poison, float 1.0] }, ptr %p
  ; CHECK-NEXT: store i64 0, ptr %p
  store i64 undef, ptr %p
  ; CHECK-NEXT: %s = add i32 %a, 0
  %s = add i32 %a, poison
  ; CHECK-NEXT: br i1 false, label %then, label %join
  br i1 poison, label %then, label %join
then:
  br label %join
join:
  ; CHECK: phi i32 [ 0, %entry ], [ %s, %then ]
  %r = phi i32 [ poison, %entry ], [ %s, %then ]
  ret i32 %r
}

; CHECK-LABEL: @vectors
define <4 x i32> @vectors(i32 %a, <3 x i32> %b) {
  ; CHECK-NEXT: %i = insertelement <4 x i32> poison, i32 0, i64 0
  %i = insertelement <4 x i32> poison, i32 poison, i64 0
  ; CHECK-NEXT: %w = shufflevector <3 x i32> %b, <3 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>
  %w = shufflevector <3 x i32> %b, <3 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>
  ; CHECK-NEXT: %v = shufflevector <4 x i32> zeroinitializer, <4 x i32> %w
  %v = shufflevector <4 x i32> poison, <4 x i32> %w, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %sum = add <4 x i32> %i, %v
  ret <4 x i32> %sum
}
