; The difference of two bytes and what is made of it fits 16 bits, and ends as a byte.
; RUN: us-opt -passes=narrow_arithmetic -kernel=k %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: %x = zext <4 x i8> %a to <4 x i16>
; CHECK: %y = zext <4 x i8> %b to <4 x i16>
; CHECK: %difference = sub <4 x i16> %x, %y
; CHECK: %distance = call <4 x i16> @llvm.abs.v4i16(<4 x i16> %difference, i1 false)
; CHECK: %twice = shl <4 x i16> %distance, <i16 1, i16 1, i16 1, i16 1>
; CHECK: %most = call <4 x i16> @llvm.smin.v4i16(<4 x i16> %twice, <4 x i16> <i16 255, i16 255, i16 255, i16 255>)
; CHECK: trunc <4 x i16> %most to <4 x i8>
define void @k(ptr %p, <4 x i8> %a, <4 x i8> %b) {
  %x = zext <4 x i8> %a to <4 x i32>
  %y = zext <4 x i8> %b to <4 x i32>
  %difference = sub nsw <4 x i32> %x, %y
  %distance = call <4 x i32> @llvm.abs.v4i32(<4 x i32> %difference, i1 false)
  %twice = shl <4 x i32> %distance, <i32 1, i32 1, i32 1, i32 1>
  %most = call <4 x i32> @llvm.smin.v4i32(<4 x i32> %twice, <4 x i32> <i32 255, i32 255, i32 255, i32 255>)
  %byte = trunc <4 x i32> %most to <4 x i8>
  store <4 x i8> %byte, ptr %p
  ret void
}
declare <4 x i32> @llvm.abs.v4i32(<4 x i32>, i1)
declare <4 x i32> @llvm.smin.v4i32(<4 x i32>, <4 x i32>)
