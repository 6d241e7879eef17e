; What is gathered from a table that a few registers hold is put in order by its indices: two registers at once where an
; instruction does so, else each by itself, and the bits above say which one it was.
; RUN: us-opt -passes=look_up_in_registers -kernel=k -target=avx512-no-gather %s | FileCheck %s --check-prefixes=CHECK,LONG
; RUN: us-opt -passes=look_up_in_registers -kernel=k -target=avx512-256 %s | FileCheck %s --check-prefixes=CHECK,SHORT
; RUN: us-opt -passes=look_up_in_registers -kernel=k -target=avx2 %s | FileCheck %s --check-prefixes=CHECK,AVX2
; RUN: us-opt -passes=look_up_in_registers -kernel=k -target=sse4.2 %s | FileCheck %s --check-prefix=STAYS

@words = internal addrspace(2) constant [64 x i32] zeroinitializer
@bytes = internal addrspace(2) constant [60 x i8] zeroinitializer

; CHECK-LABEL: @k
; LONG-COUNT-4: load <16 x i32>, ptr addrspace(2) {{.*}}@words
; LONG: [[A:%.*]] = call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(
; LONG: [[B:%.*]] = call <16 x i32> @llvm.x86.avx512.vpermi2var.d.512(
; LONG: [[BIT:%.*]] = and <16 x i32> {{%.*}}, <i32 32, {{.*}}>
; LONG: [[HIGH:%.*]] = icmp ne <16 x i32> [[BIT]], zeroinitializer
; LONG: select <16 x i1> [[HIGH]], <16 x i32> [[B]], <16 x i32> [[A]]
; LONG: ret <8 x i32>
; SHORT-COUNT-4: call <8 x i32> @llvm.x86.avx512.vpermi2var.d.256(
; SHORT: ret <8 x i32>
; AVX2: masked.gather
; STAYS-LABEL: @k
; STAYS: masked.gather
define <8 x i32> @k(<8 x i32> %i) {
  %in = and <8 x i32> %i, splat (i32 63)
  %number = zext <8 x i32> %in to <8 x i64>
  %place = getelementptr inbounds [64 x i32], ptr addrspace(2) @words, i64 0, <8 x i64> %number
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p2(<8 x ptr addrspace(2)> %place, i32 4, <8 x i1> splat (i1 true), <8 x i32> poison)
  ret <8 x i32> %v
}

; Lanes that do not ask have what they had; what is added to an index counts.
; CHECK-LABEL: @under_masks
; AVX2-COUNT-2: load <8 x i32>, ptr addrspace(2) {{.*}}@words
; AVX2: load <2 x i32>, ptr addrspace(2) {{.*}}@words
; AVX2-COUNT-3: call <8 x i32> @llvm.x86.avx2.permd(
; CHECK-NOT: masked.gather
; CHECK: [[V:%.*]] = select <8 x i1> %mask, <8 x i32> {{%.*}}, <8 x i32> %other
; CHECK-NEXT: ret <8 x i32> [[V]]
define <8 x i32> @under_masks(<8 x i32> %i, <8 x i1> %mask, <8 x i32> %other) {
  %few = and <8 x i32> %i, splat (i32 15)
  %in = add nuw <8 x i32> %few, splat (i32 2)
  %number = zext <8 x i32> %in to <8 x i64>
  %place = getelementptr i32, ptr addrspace(2) @words, <8 x i64> %number
  %v = call <8 x i32> @llvm.masked.gather.v8i32.v8p2(<8 x ptr addrspace(2)> %place, i32 4, <8 x i1> %mask, <8 x i32> %other)
  ret <8 x i32> %v
}

; A byte is taken out of the word that it lies in.
; CHECK-LABEL: @of_bytes
; CHECK: lshr <{{8|16}} x i32> {{%.*}}, <i32 2, {{.*}}>
; CHECK: [[IN:%.*]] = and <{{8|16}} x i32> {{%.*}}, <i32 3, {{.*}}>
; CHECK: [[BITS:%.*]] = shl <{{8|16}} x i32> [[IN]], <i32 3, {{.*}}>
; CHECK: lshr <{{8|16}} x i32> {{%.*}}, [[BITS]]
; CHECK: trunc <8 x i32> {{%.*}} to <8 x i8>
define <8 x i8> @of_bytes(<8 x i8> %i) {
  %few = and <8 x i8> %i, splat (i8 31)
  %number = zext <8 x i8> %few to <8 x i64>
  %place = getelementptr i8, ptr addrspace(2) @bytes, <8 x i64> %number
  %v = call <8 x i8> @llvm.masked.gather.v8i8.v8p2(<8 x ptr addrspace(2)> %place, i32 1, <8 x i1> splat (i1 true), <8 x i8> poison)
  ret <8 x i8> %v
}

; Not all of it is there to be read; nobody knows how much is; the elements are those of structures.
; CHECK-LABEL: @of_others
; CHECK-COUNT-3: call {{.*}}masked.gather
define void @of_others(<8 x i8> %i, ptr %unknown, ptr %to) {
  %few = and <8 x i8> %i, splat (i8 63)
  %number = zext <8 x i8> %few to <8 x i64>
  %short = getelementptr i8, ptr addrspace(2) @bytes, <8 x i64> %number
  %a = call <8 x i8> @llvm.masked.gather.v8i8.v8p2(<8 x ptr addrspace(2)> %short, i32 1, <8 x i1> splat (i1 true), <8 x i8> poison)
  %anywhere = getelementptr i8, ptr %unknown, <8 x i64> %number
  %b = call <8 x i8> @llvm.masked.gather.v8i8.v8p0(<8 x ptr> %anywhere, i32 1, <8 x i1> splat (i1 true), <8 x i8> poison)
  %fewer = and <8 x i8> %i, splat (i8 7)
  %pair = zext <8 x i8> %fewer to <8 x i64>
  %member = getelementptr [2 x i8], ptr addrspace(2) @bytes, <8 x i64> %pair, i64 1
  %c = call <8 x i8> @llvm.masked.gather.v8i8.v8p2(<8 x ptr addrspace(2)> %member, i32 1, <8 x i1> splat (i1 true), <8 x i8> poison)
  %ab = xor <8 x i8> %a, %b
  %abc = xor <8 x i8> %ab, %c
  store <8 x i8> %abc, ptr %to
  ret void
}

declare <8 x i32> @llvm.masked.gather.v8i32.v8p2(<8 x ptr addrspace(2)>, i32, <8 x i1>, <8 x i32>)
declare <8 x i8> @llvm.masked.gather.v8i8.v8p2(<8 x ptr addrspace(2)>, i32, <8 x i1>, <8 x i8>)
declare <8 x i8> @llvm.masked.gather.v8i8.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x i8>)
