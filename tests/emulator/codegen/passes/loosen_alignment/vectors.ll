; Vectors of global and local memory may begin at any of their elements, and copies of structures at any byte; scalars,
; atomic accesses, and variables, of which the compiler says where they lie, stay.
; RUN: us-opt -passes=loosen_alignment -kernel=k %s | FileCheck %s

; CHECK: load <4 x float>, ptr addrspace(1) %p, align 4
; CHECK: store <8 x i16> {{.*}}, ptr addrspace(3) %l, align 2
; CHECK: load <4 x i8>, ptr addrspace(1) %p, align 1
; CHECK: load double, ptr addrspace(1) %p, align 8
; CHECK: load <4 x float>, ptr %own, align 16
; CHECK: load <4 x float>, ptr addrspace(3) @variable, align 16
; CHECK: memcpy.p0.p1.i64(ptr align 16 %own, ptr addrspace(1) align 1 %p
@variable = internal addrspace(3) global <4 x float> poison, align 16
declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
declare void @use(<4 x float>, <4 x i8>, double, <4 x float>, <4 x float>)
define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(3) %l, <8 x i16> %shorts) {
  %own = alloca <4 x float>, align 16
  %floats = load <4 x float>, ptr addrspace(1) %p, align 16
  store <8 x i16> %shorts, ptr addrspace(3) %l, align 16
  %bytes = load <4 x i8>, ptr addrspace(1) %p, align 4
  %scalar = load double, ptr addrspace(1) %p, align 8
  %private = load <4 x float>, ptr %own, align 16
  %local = load <4 x float>, ptr addrspace(3) @variable, align 16
  call void @llvm.memcpy.p0.p1.i64(ptr align 16 %own, ptr addrspace(1) align 16 %p, i64 16, i1 false)
  call void @use(<4 x float> %floats, <4 x i8> %bytes, double %scalar, <4 x float> %private, <4 x float> %local)
  ret void
}
