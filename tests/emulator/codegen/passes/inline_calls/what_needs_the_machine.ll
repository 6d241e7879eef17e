; A function that calls the machine, through another one and although noinline, ends up in the kernel; so does a small
; one. Recursion stays a call.
; RUN: us-opt -passes=extract_kernel,inline_calls -kernel=k %s | FileCheck %s

declare void @us.barrier(i32, i32)

; CHECK-LABEL: define dso_local void @k(
define spir_kernel void @k(ptr addrspace(1) %out, i32 %n) {
  ; CHECK: call void @us.barrier(i32 1, i32 1)
  ; CHECK: mul i32 %n, 3
  ; CHECK: call i32 @recursive(
  ; CHECK-NOT: call
  call spir_func void @outer()
  %a = call spir_func i32 @small(i32 %n)
  %b = call spir_func i32 @recursive(i32 %a)
  store i32 %b, ptr addrspace(1) %out
  ret void
}

; CHECK-NOT: @outer
define spir_func void @outer() noinline {
  call spir_func void @inner()
  ret void
}
; CHECK-NOT: @inner
define spir_func void @inner() {
  call void @us.barrier(i32 1, i32 1)
  ret void
}
; CHECK-NOT: @small
define spir_func i32 @small(i32 %x) {
  %r = mul i32 %x, 3
  ret i32 %r
}
; CHECK: define internal i32 @recursive
define spir_func i32 @recursive(i32 %x) {
  %stop = icmp slt i32 %x, 2
  br i1 %stop, label %end, label %again
again:
  %y = sub i32 %x, 1
  %r = call spir_func i32 @recursive(i32 %y)
  br label %end
end:
  %result = phi i32 [ 1, %0 ], [ %r, %again ]
  ret i32 %result
}
