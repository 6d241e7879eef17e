; Places without a mask that are made of a vector of numbers of 32 bits: each number is taken out as it is, once for all
; that go by it, and each place is made by itself. Other places stay.
; RUN: us-opt -passes=expand_gathers -kernel=k -target=avx2 %s | FileCheck %s
; RUN: us-opt -passes=expand_gathers -kernel=k -target=avx512 %s | FileCheck %s --check-prefix=STAYS

; CHECK-LABEL: @k
; CHECK: [[N0:%.*]] = extractelement <4 x i32> %i, i64 0
; CHECK-NEXT: [[I0:%.*]] = zext i32 [[N0]] to i64
; CHECK-NEXT: [[P0:%.*]] = getelementptr float, ptr %a, i64 [[I0]]
; CHECK-NEXT: [[E0:%.*]] = load float, ptr [[P0]], align 4
; CHECK-NEXT: insertelement <4 x float> poison, float [[E0]], i64 0
; CHECK: extractelement <4 x i32> %i, i64 3
; CHECK-NOT: extractelement <4 x i32>
; CHECK: [[Q0:%.*]] = getelementptr float, ptr %b, i64 [[I0]]
; CHECK: store float {{%.*}}, ptr [[Q0]], align 4
; CHECK: ret
; STAYS: masked.gather
; STAYS: masked.scatter
define void @k(ptr %a, ptr %b, <4 x i32> %i) {
  %number = zext <4 x i32> %i to <4 x i64>
  %from = getelementptr float, ptr %a, <4 x i64> %number
  %v = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %from, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %to = getelementptr float, ptr %b, <4 x i64> %number
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %v, <4 x ptr> %to, i32 4, <4 x i1> splat (i1 true))
  ret void
}

; CHECK-LABEL: @with_signs
; CHECK: [[N0:%.*]] = extractelement <4 x i32> %i, i64 0
; CHECK-NEXT: sext i32 [[N0]] to i64
define <4 x float> @with_signs(ptr %a, <4 x i32> %i) {
  %number = sext <4 x i32> %i to <4 x i64>
  %from = getelementptr float, ptr %a, <4 x i64> %number
  %v = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %from, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  ret <4 x float> %v
}

; Numbers that differ by what all lanes share are taken out once, and the rest is a sum of scalars that may wrap; one that
; is alone is taken out as it is.
; CHECK-LABEL: @by_shared
; CHECK: [[N0:%.*]] = extractelement <4 x i32> %i, i64 0
; CHECK: zext i32 [[N0]] to i64
; CHECK-COUNT-3: extractelement <4 x i32> %i,
; CHECK-NOT: extractelement <4 x i32>
; CHECK: [[S0:%.*]] = add i32 [[N0]], %m
; CHECK-NEXT: zext i32 [[S0]] to i64
; CHECK: extractelement <4 x i32> %alone, i64 0
define void @by_shared(ptr %a, ptr %b, <4 x i32> %i, <4 x i32> %j, i32 %m) {
  %first = insertelement <4 x i32> poison, i32 %m, i64 0
  %all = shufflevector <4 x i32> %first, <4 x i32> poison, <4 x i32> zeroinitializer
  %number = zext <4 x i32> %i to <4 x i64>
  %from = getelementptr float, ptr %a, <4 x i64> %number
  %v = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %from, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %sum = add nsw <4 x i32> %i, %all
  %second = zext <4 x i32> %sum to <4 x i64>
  %next = getelementptr float, ptr %a, <4 x i64> %second
  %w = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %next, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %x = fadd <4 x float> %v, %w
  %alone = add <4 x i32> %j, %all
  %third = zext <4 x i32> %alone to <4 x i64>
  %to = getelementptr float, ptr %b, <4 x i64> %third
  call void @llvm.masked.scatter.v4f32.v4p0(<4 x float> %x, <4 x ptr> %to, i32 4, <4 x i1> splat (i1 true))
  ret void
}

; What is apart by constants needs no register to be taken out of.
; CHECK-LABEL: @by_constants
; CHECK-NOT: extractelement
; CHECK: [[P0:%.*]] = getelementptr i8, ptr %a, i64 0
; CHECK-NEXT: load float, ptr [[P0]], align 4
; CHECK: [[P3:%.*]] = getelementptr i8, ptr %a, i64 204
; CHECK-NEXT: load float, ptr [[P3]], align 4
define <4 x float> @by_constants(ptr %a) {
  %from = getelementptr i8, ptr %a, <4 x i64> <i64 0, i64 68, i64 136, i64 204>
  %v = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %from, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  ret <4 x float> %v
}

; CHECK-LABEL: @of_longer_numbers
; CHECK: masked.gather
define <4 x float> @of_longer_numbers(ptr %a, <4 x i64> %i) {
  %from = getelementptr float, ptr %a, <4 x i64> %i
  %v = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %from, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  ret <4 x float> %v
}

declare <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x float>)
declare void @llvm.masked.scatter.v4f32.v4p0(<4 x float>, <4 x ptr>, i32, <4 x i1>)
