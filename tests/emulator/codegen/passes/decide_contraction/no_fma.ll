; A device without fma rounds twice.
; RUN: us-opt "-passes=decide_contraction<no-fma>" %s | FileCheck %s
declare float @llvm.fmuladd.f32(float, float, float)

; CHECK-LABEL: @scalar
define float @scalar(float %a, float %b, float %c) {
  ; CHECK: [[PRODUCT:%.*]] = fmul float %a, %b
  ; CHECK: [[SUM:%.*]] = fadd float [[PRODUCT]], %c
  ; CHECK: ret float [[SUM]]
  %r = call fast float @llvm.fmuladd.f32(float %a, float %b, float %c)
  ret float %r
}
