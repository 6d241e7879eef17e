; Of floats, by doubles that are rounded to odd; of doubles there is no wider type. A processor that has the operation
; keeps it.
; RUN: us-opt -passes=expand_fused -kernel=k -target=sse4.2 %s | FileCheck %s
; RUN: us-opt -passes=expand_fused -kernel=k -target=avx2 %s | FileCheck --check-prefix=KEPT %s

; CHECK-LABEL: @k
; CHECK: [[A:%.*]] = fpext <4 x float> %a to <4 x double>
; CHECK: [[B:%.*]] = fpext <4 x float> %b to <4 x double>
; CHECK: [[C:%.*]] = fpext <4 x float> %c to <4 x double>
; CHECK: [[PRODUCT:%.*]] = fmul <4 x double> [[A]], [[B]]
; CHECK: [[SUM:%.*]] = fadd <4 x double> [[PRODUCT]], [[C]]
; CHECK: [[ADDED:%.*]] = fsub <4 x double> [[SUM]], [[PRODUCT]]
; CHECK: [[LOST:%.*]] = fadd <4 x double>
; CHECK: [[INEXACT:%.*]] = fcmp one <4 x double> [[LOST]], zeroinitializer
; CHECK: [[ODD:%.*]] = select <4 x i1>
; CHECK: [[ROUNDED:%.*]] = bitcast <4 x i64> [[ODD]] to <4 x double>
; CHECK: fptrunc <4 x double> [[ROUNDED]] to <4 x float>
; CHECK: call double @llvm.fma.f64
; KEPT: call <4 x float> @llvm.fma.v4f32
; KEPT: call double @llvm.fma.f64
define void @k(<4 x float> %a, <4 x float> %b, <4 x float> %c, double %d, ptr %out) {
  %r = call <4 x float> @llvm.fma.v4f32(<4 x float> %a, <4 x float> %b, <4 x float> %c)
  store <4 x float> %r, ptr %out
  %s = call double @llvm.fma.f64(double %d, double %d, double %d)
  store double %s, ptr %out
  ret void
}
declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)
declare double @llvm.fma.f64(double, double, double)
