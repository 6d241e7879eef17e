; Each argument is a tag of two bytes (type, elements) and its values, unaligned; a vector of three has three.
; RUN: us-opt -passes=lower_printf %s | FileCheck %s
@format = internal addrspace(2) constant [17 x i8] c"%d %v3f %ld %p\0A\00\00"
declare spir_func i32 @printf(ptr addrspace(2), ...)

; CHECK-LABEL: @k
; CHECK-NEXT: %record = alloca [40 x i8], align 1
define spir_kernel void @k(i32 %i, <3 x float> %v, i64 %l, ptr addrspace(1) %p) {
  ; Int32 is 3, Float32 is 6, Int64 is 4, Pointer is 8.
  ; CHECK: store i8 3, ptr {{.*}}, align 1
  ; CHECK: store i8 1, ptr {{.*}}, align 1
  ; CHECK: store i32 %i, ptr {{.*}}, align 1
  ; CHECK: store i8 6
  ; CHECK: store i8 3
  ; CHECK-COUNT-3: store float
  ; CHECK: store i8 4
  ; CHECK: store i64 %l, ptr {{.*}}, align 1
  ; CHECK: store i8 8
  ; CHECK: store ptr addrspace(1) %p, ptr {{.*}}, align 1
  ; CHECK: call spir_func i32 @us.printf(ptr addrspace(2) @format, ptr %record, i32 40)
  %r = call spir_func i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, i32 %i, <3 x float> %v, i64 %l, ptr addrspace(1) %p)
  ret void
}
; CHECK-NOT: @printf
