; A value that does not fit saturates, and NaN is 0.
; RUN: us-opt -passes=guard_undefined_operations %s | FileCheck %s

; CHECK-LABEL: @k
define void @k(float %x, <4 x double> %v, ptr %p) {
  ; CHECK-NEXT: %i = call i32 @llvm.fptosi.sat.i32.f32(float %x)
  %i = fptosi float %x to i32
  ; CHECK-NEXT: %u = call i8 @llvm.fptoui.sat.i8.f32(float %x)
  %u = fptoui float %x to i8
  ; CHECK-NEXT: %w = call <4 x i64> @llvm.fptosi.sat.v4i64.v4f64(<4 x double> %v)
  %w = fptosi <4 x double> %v to <4 x i64>
  store i32 %i, ptr %p
  store i8 %u, ptr %p
  store <4 x i64> %w, ptr %p
  ret void
}
