; Under a mask, the lanes of a gather that are not asked load zeros, and those of a scatter store where nobody reads; all
; places go through memory. Where others than zeros are wanted LLVM's own code is left, and so it is without a mask
; (but by_numbers.ll); processors that gather well gather.
; RUN: us-opt -passes=expand_gathers -kernel=k -target=avx2 %s | FileCheck %s
; RUN: us-opt -passes=expand_gathers -kernel=k -target=sse4.2 %s | FileCheck %s
; RUN: us-opt -passes=expand_gathers -kernel=k -target=avx2-gather %s | FileCheck %s --check-prefix=QUICK
; RUN: us-opt -passes=expand_gathers -kernel=k -target=avx512 %s | FileCheck %s --check-prefix=QUICK

; CHECK: @us.nowhere = private constant i64 0, align 8
; CHECK-LABEL: @k
; CHECK: %places = alloca [4 x i64], align 64
; CHECK: [[PLACES:%.*]] = select <4 x i1> %m, <4 x ptr> %p, <4 x ptr>
; CHECK-NEXT: store <4 x ptr> [[PLACES]], ptr %places, align 64
; CHECK-NEXT: [[AT:%.*]] = getelementptr i8, ptr %places, i64 0
; CHECK-NEXT: [[P:%.*]] = load ptr, ptr [[AT]], align 8
; CHECK-NEXT: [[E0:%.*]] = load float, ptr [[P]], align 4
; CHECK-NEXT: [[V0:%.*]] = insertelement <4 x float> poison, float [[E0]], {{i32|i64}} 0
; CHECK-NEXT: [[AT:%.*]] = getelementptr i8, ptr %places, i64 8
; CHECK-NEXT: [[P:%.*]] = load ptr, ptr [[AT]], align 8
; CHECK-NEXT: [[E1:%.*]] = load float, ptr [[P]], align 4
; CHECK-NEXT: insertelement <4 x float> [[V0]], float [[E1]], {{i32|i64}} 1
; CHECK: %v = insertelement
; CHECK: insertelement <4 x ptr> poison, ptr %nowhere, i64 0
; CHECK: select <4 x i1> %m, <4 x ptr> %p, <4 x ptr>
; CHECK: [[X0:%.*]] = extractelement <4 x float> %v, {{i32|i64}} 0
; CHECK-NEXT: store float [[X0]], ptr {{%.*}}, align 4
; CHECK: [[X3:%.*]] = extractelement <4 x float> %v, {{i32|i64}} 3
; CHECK-NEXT: store float [[X3]], ptr {{%.*}}, align 4
; CHECK-NEXT: %all = call <4 x float> @llvm.masked.gather
; CHECK-NEXT: %kept = call <4 x float> @llvm.masked.gather

; QUICK-LABEL: @k
; QUICK-NEXT: %v = call <4 x float> @llvm.masked.gather
; QUICK-NEXT: call void @llvm.masked.scatter
define void @k(<4 x ptr> %p, <4 x i1> %m, <4 x float> %x, ptr %out) {
  %v = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %p, i32 4, <4 x i1> %m, <4 x float> zeroinitializer)
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %v, <4 x ptr> %p, i32 4, <4 x i1> %m)
  %all = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %p, i32 4, <4 x i1> <i1 true, i1 true, i1 true, i1 true>, <4 x float> zeroinitializer)
  %kept = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %p, i32 4, <4 x i1> %m, <4 x float> %x)
  %sum = fadd <4 x float> %all, %kept
  store <4 x float> %sum, ptr %out
  ret void
}

declare <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x float>)
declare void @llvm.masked.scatter.v4f32.v4p0(<4 x float>, <4 x ptr>, i32, <4 x i1>)
