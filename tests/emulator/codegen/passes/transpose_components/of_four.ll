; Four elements of 32 bits of each lane are loaded lane by lane and transposed; what no lane asks for is not loaded
; behind the last lane's. Elements of another length or number, and what is not only taken apart, stay as they are, as
; does all with AVX-512.
; RUN: us-opt -passes=transpose_components -kernel=k -target=avx2 %s | FileCheck %s
; RUN: us-opt -passes=transpose_components -kernel=k -target=sse4.2 %s | FileCheck %s --check-prefix=SHORT
; RUN: us-opt -passes=transpose_components -kernel=k -target=avx512 %s | FileCheck %s --check-prefix=INDEX

; CHECK-LABEL: @k
; CHECK: [[P0:%.*]] = getelementptr i8, ptr %p, i64 0
; CHECK-NEXT: [[I0:%.*]] = load <4 x float>, ptr [[P0]], align 16
; CHECK: [[P4:%.*]] = getelementptr i8, ptr %p, i64 64
; CHECK-NEXT: [[I4:%.*]] = load <4 x float>, ptr [[P4]], align 16
; CHECK-NEXT: [[R0:%.*]] = shufflevector <4 x float> [[I0]], <4 x float> [[I4]], <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK: getelementptr i8, ptr %p, i64 112
; CHECK: [[R3:%.*]] = shufflevector <4 x float>
; CHECK-NEXT: [[EVEN:%.*]] = shufflevector <8 x float> [[R0]], <8 x float> [[R2:%.*]], <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
; CHECK-NEXT: [[ODD:%.*]] = shufflevector <8 x float> {{%.*}}, <8 x float> [[R3]], <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
; CHECK-NEXT: [[X:%.*]] = shufflevector <8 x float> [[EVEN]], <8 x float> [[ODD]], <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
; CHECK-NEXT: [[HIGHEVEN:%.*]] = shufflevector <8 x float> [[R0]], <8 x float> [[R2]], <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
; CHECK-NEXT: [[HIGHODD:%.*]] = shufflevector {{.*}} <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
; CHECK-NEXT: [[W:%.*]] = shufflevector <8 x float> [[HIGHEVEN]], <8 x float> [[HIGHODD]], <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
; CHECK-NEXT: [[SUM:%.*]] = fadd <8 x float> [[X]], [[W]]
; CHECK-NEXT: [[XZ:%.*]] = shufflevector <8 x float> [[SUM]], <8 x float> [[X]], <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
; CHECK: [[ITEMS:%.*]] = shufflevector <8 x float> [[XZ]], <8 x float> {{%.*}}, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
; CHECK-NEXT: [[ITEM:%.*]] = shufflevector <8 x float> [[ITEMS]], <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK-NEXT: [[Q0:%.*]] = getelementptr i8, ptr %q, i64 0
; CHECK-NEXT: store <4 x float> [[ITEM]], ptr [[Q0]], align 4
; CHECK-NEXT: [[ITEM:%.*]] = shufflevector <8 x float> [[ITEMS]], <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
; CHECK-NEXT: [[Q4:%.*]] = getelementptr i8, ptr %q, i64 64
; CHECK-NEXT: store <4 x float> [[ITEM]], ptr [[Q4]], align 4
; CHECK-NOT: <32 x float>
; CHECK-LABEL: @gaps
; CHECK: load <4 x i32>, ptr {{%.*}}, align 8
; CHECK: getelementptr i8, ptr %p, i64 112
; CHECK-NEXT: [[LAST:%.*]] = load <2 x i32>
; CHECK-NEXT: shufflevector <2 x i32> [[LAST]], <2 x i32> poison, <4 x i32> <i32 0, i32 1, i32 poison, i32 poison>
; CHECK-NOT: masked.load
; CHECK-LABEL: @others
; CHECK: load <32 x float>, ptr %p
; CHECK: load <16 x float>, ptr %p
; CHECK: load <32 x i16>, ptr %p
; CHECK: load volatile <32 x float>, ptr %p
; CHECK: masked.load

; SHORT-LABEL: @k
; SHORT: load <4 x float>
; SHORT-NOT: <8 x i32>
; SHORT: shufflevector <4 x float> {{.*}}, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
; SHORT: shufflevector <4 x float> {{.*}}, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>

; INDEX-LABEL: @k
; INDEX-NEXT: load <32 x float>
define void @k(ptr %p, ptr %q) {
  %v = load <32 x float>, ptr %p, align 16
  %x = shufflevector <32 x float> %v, <32 x float> poison, <8 x i32> <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  %w = shufflevector <32 x float> %v, <32 x float> poison, <8 x i32> <i32 3, i32 7, i32 11, i32 15, i32 19, i32 23, i32 27, i32 31>
  %sum = fadd <8 x float> %x, %w
  %a = shufflevector <8 x float> %sum, <8 x float> %w, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %b = shufflevector <8 x float> %x, <8 x float> %w, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %m = shufflevector <16 x float> %a, <16 x float> %b, <32 x i32> <i32 0, i32 8, i32 16, i32 24, i32 1, i32 9, i32 17, i32 25, i32 2, i32 10, i32 18, i32 26, i32 3, i32 11, i32 19, i32 27, i32 4, i32 12, i32 20, i32 28, i32 5, i32 13, i32 21, i32 29, i32 6, i32 14, i32 22, i32 30, i32 7, i32 15, i32 23, i32 31>
  store <32 x float> %m, ptr %q, align 4
  ret void
}

define void @gaps(ptr %p, ptr %q) {
  %v = call <32 x i32> @llvm.masked.load.v32i32.p0(ptr %p, i32 8, <32 x i1> <i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false, i1 true, i1 true, i1 false, i1 false>, <32 x i32> zeroinitializer)
  %x = shufflevector <32 x i32> %v, <32 x i32> poison, <8 x i32> <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  %y = shufflevector <32 x i32> %v, <32 x i32> poison, <8 x i32> <i32 1, i32 5, i32 9, i32 13, i32 17, i32 21, i32 25, i32 29>
  %sum = add <8 x i32> %x, %y
  store <8 x i32> %sum, ptr %q, align 4
  ret void
}

define void @others(ptr %p, ptr %q, <32 x i1> %m) {
  %whole = load <32 x float>, ptr %p, align 4
  %w = shufflevector <32 x float> %whole, <32 x float> poison, <8 x i32> <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  store <32 x float> %whole, ptr %q, align 4
  %pairs = load <16 x float>, ptr %p, align 4
  %x = shufflevector <16 x float> %pairs, <16 x float> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %short = load <32 x i16>, ptr %p, align 4
  %y = shufflevector <32 x i16> %short, <32 x i16> poison, <8 x i32> <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  %once = load volatile <32 x float>, ptr %p, align 4
  %z = shufflevector <32 x float> %once, <32 x float> poison, <8 x i32> <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  %masked = call <32 x float> @llvm.masked.load.v32f32.p0(ptr %p, i32 4, <32 x i1> %m, <32 x float> zeroinitializer)
  %u = shufflevector <32 x float> %masked, <32 x float> poison, <8 x i32> <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28>
  %s0 = fadd <8 x float> %x, %z
  %s1 = fadd <8 x float> %s0, %u
  %s2 = fadd <8 x float> %s1, %w
  store <8 x float> %s2, ptr %q, align 4
  %at = getelementptr i8, ptr %q, i64 256
  store <8 x i16> %y, ptr %at, align 4
  ret void
}

declare <32 x i32> @llvm.masked.load.v32i32.p0(ptr, i32, <32 x i1>, <32 x i32>)
declare <32 x float> @llvm.masked.load.v32f32.p0(ptr, i32, <32 x i1>, <32 x float>)
