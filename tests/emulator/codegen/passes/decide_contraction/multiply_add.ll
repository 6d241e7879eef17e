; Where the language allows to fuse, the result is always fused; no flag leaves room for another decision.
; RUN: us-opt -passes=decide_contraction %s | FileCheck %s
declare float @llvm.fmuladd.f32(float, float, float)
declare <4 x double> @llvm.fmuladd.v4f64(<4 x double>, <4 x double>, <4 x double>)

; CHECK-LABEL: @scalar
define float @scalar(float %a, float %b, float %c) {
  ; CHECK: %r = call float @llvm.fma.f32(float %a, float %b, float %c)
  %r = call fast float @llvm.fmuladd.f32(float %a, float %b, float %c)
  ; CHECK: %s = fmul float %r, %a
  %s = fmul reassoc contract afn arcp nnan ninf nsz float %r, %a
  ; CHECK: %t = fadd float %s, %b
  %t = fadd contract float %s, %b
  ; CHECK: %less = fcmp olt float %t, %a
  %less = fcmp fast olt float %t, %a
  ; CHECK: %u = select i1 %less, float %t, float %a
  %u = select fast i1 %less, float %t, float %a
  ret float %u
}

; CHECK-LABEL: @vector
define <4 x double> @vector(<4 x double> %a, <4 x double> %b, <4 x double> %c) {
  ; CHECK: call <4 x double> @llvm.fma.v4f64(
  %r = call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %a, <4 x double> %b, <4 x double> %c)
  ret <4 x double> %r
}
