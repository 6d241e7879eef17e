; With a sign and without, to shorter numbers, and from a type whose numbers all fit: infinity alone does not. What is
; no vector stays.
; RUN: us-opt -passes=expand_conversions -kernel=k %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: [[IN:%.*]] = fptosi <4 x float> %x to <4 x i32>
; CHECK: [[HIGH:%.*]] = fcmp oge <4 x float> %x, <float 0x41E0000000000000,
; CHECK: [[ABOVE:%.*]] = select <4 x i1> [[HIGH]], <4 x i32> <i32 2147483647, {{.*}}, <4 x i32> [[IN]]
; CHECK: [[LOW:%.*]] = fcmp ole <4 x float> %x, <float 0xC1E0000000000000,
; CHECK: [[BELOW:%.*]] = select <4 x i1> [[LOW]], <4 x i32> <i32 -2147483648, {{.*}}, <4 x i32> [[ABOVE]]
; CHECK: [[NUMBER:%.*]] = fcmp ord <4 x float> %x, zeroinitializer
; CHECK: %r = select <4 x i1> [[NUMBER]], <4 x i32> [[BELOW]], <4 x i32> zeroinitializer
; CHECK: fptoui <4 x float> %x to <4 x i8>
; CHECK: fcmp ogt <4 x float> %x, zeroinitializer
; CHECK: fcmp oge <4 x float> %x, <float 2.560000e+02,
; CHECK: fcmp oge <4 x half> %h, <half 0xH7C00,
; CHECK: call i32 @llvm.fptosi.sat.i32.f32
define void @k(<4 x float> %x, <4 x half> %h, float %y, ptr %out) {
  %r = call <4 x i32> @llvm.fptosi.sat.v4i32.v4f32(<4 x float> %x)
  store <4 x i32> %r, ptr %out
  %s = call <4 x i8> @llvm.fptoui.sat.v4i8.v4f32(<4 x float> %x)
  store <4 x i8> %s, ptr %out
  %t = call <4 x i32> @llvm.fptoui.sat.v4i32.v4f16(<4 x half> %h)
  store <4 x i32> %t, ptr %out
  %u = call i32 @llvm.fptosi.sat.i32.f32(float %y)
  store i32 %u, ptr %out
  ret void
}
declare <4 x i32> @llvm.fptosi.sat.v4i32.v4f32(<4 x float>)
declare <4 x i8> @llvm.fptoui.sat.v4i8.v4f32(<4 x float>)
declare <4 x i32> @llvm.fptoui.sat.v4i32.v4f16(<4 x half>)
declare i32 @llvm.fptosi.sat.i32.f32(float)
