; Bytes that some lanes load are loaded for all, if one is asked and no other page is touched. Words under masks are an
; instruction with AVX2, as bytes are with mask registers; memory whose end the compiler knows is left alone.
; RUN: us-opt -passes=load_whole_under_masks -kernel=k -target=avx2 %s | FileCheck %s
; RUN: us-opt -passes=load_whole_under_masks -kernel=k -target=avx512 %s | FileCheck %s --check-prefix=STAYS

; CHECK-LABEL: @k
; CHECK: [[SLOT:%.*]] = alloca [64 x i8]
; CHECK: [[LANES:%.*]] = bitcast <16 x i1> %m to i16
; CHECK: [[AT:%.*]] = ptrtoint ptr addrspace(1) %p to i64
; CHECK: [[WITHIN:%.*]] = and i64 [[AT]], 4095
; CHECK: [[FITS:%.*]] = icmp ule i64 [[WITHIN]], 4080
; CHECK: [[ANY:%.*]] = icmp ne i16 [[LANES]], 0
; CHECK: [[WHOLE:%.*]] = and i1 [[ANY]], [[FITS]]
; CHECK: br i1 [[WHOLE]], label %load.whole, label %load.some
; CHECK: load.whole:
; CHECK-NEXT: [[W:%.*]] = load <16 x i8>, ptr addrspace(1) %p, align 1
; CHECK: load.one:
; CHECK: [[LEFT:%.*]] = phi i16 [ [[LANES]], %load.some ], [ [[REST:%.*]], %load.one ]
; CHECK: call i16 @llvm.cttz.i16(i16 [[LEFT]], i1 true)
; CHECK: load i8, ptr addrspace(1)
; CHECK: load.all:
; CHECK-NEXT: [[S:%.*]] = load <16 x i8>, ptr [[SLOT]]
; CHECK: [[V:%.*]] = phi <16 x i8> [ [[W]], %load.whole ], [ [[S]], %load.all ]
; CHECK: select <16 x i1> %m, <16 x i8> [[V]], <16 x i8> zeroinitializer
; STAYS-LABEL: @k
; STAYS: masked.load
define <16 x i8> @k(ptr addrspace(1) %p, <16 x i1> %m) {
  %v = call <16 x i8> @llvm.masked.load.v16i8.p1(ptr addrspace(1) %p, i32 1, <16 x i1> %m, <16 x i8> zeroinitializer)
  ret <16 x i8> %v
}

; CHECK-LABEL: @words
; CHECK: masked.load
define <8 x i32> @words(ptr addrspace(1) %p, <8 x i1> %m) {
  %v = call <8 x i32> @llvm.masked.load.v8i32.p1(ptr addrspace(1) %p, i32 4, <8 x i1> %m, <8 x i32> zeroinitializer)
  ret <8 x i32> %v
}

; CHECK-LABEL: @known
; CHECK: masked.load
define <16 x i8> @known(<16 x i1> %m, i64 %at) {
  %memory = alloca [32 x i8]
  call void @llvm.memset.p0.i64(ptr %memory, i8 3, i64 32, i1 false)
  %p = getelementptr i8, ptr %memory, i64 %at
  %v = call <16 x i8> @llvm.masked.load.v16i8.p0(ptr %p, i32 1, <16 x i1> %m, <16 x i8> zeroinitializer)
  ret <16 x i8> %v
}

declare <16 x i8> @llvm.masked.load.v16i8.p1(ptr addrspace(1), i32, <16 x i1>, <16 x i8>)
declare <16 x i8> @llvm.masked.load.v16i8.p0(ptr, i32, <16 x i1>, <16 x i8>)
declare <8 x i32> @llvm.masked.load.v8i32.p1(ptr addrspace(1), i32, <8 x i1>, <8 x i32>)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
