; %s takes a string, also behind a width from an argument; no arguments need no record.
; RUN: us-opt -passes=lower_printf %s | FileCheck %s
@format = internal addrspace(2) constant [10 x i8] c"%*d%%%-5s\00"
@plain = internal addrspace(2) constant [3 x i8] c"hi\00"
@text = internal addrspace(2) constant [2 x i8] c"x\00"
declare spir_func i32 @printf(ptr addrspace(2), ...)

; CHECK-LABEL: @k
define spir_kernel void @k(i32 %width, i32 %i) {
  ; CHECK: store i8 3
  ; CHECK: store i32 %width
  ; CHECK: store i8 3
  ; CHECK: store i32 %i
  ; String is 9.
  ; CHECK: store i8 9
  ; CHECK: store ptr addrspace(2) @text
  ; CHECK: call spir_func i32 @us.printf(ptr addrspace(2) @format, ptr %record, i32 22)
  %r = call spir_func i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @format, i32 %width, i32 %i, ptr addrspace(2) @text)
  ; CHECK: call spir_func i32 @us.printf(ptr addrspace(2) @plain, ptr null, i32 0)
  %s = call spir_func i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) @plain)
  ret void
}
