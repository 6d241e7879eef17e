; A chain of functions with one caller each ends up in the kernel, the deepest included; what a function with several
; callers calls is copied with it. Two that call each other are completed, whichever is met first: the one that is
; inlined into the other brings all its own callees along.
; RUN: us-opt -passes=extract_kernel,inline_calls -kernel=k %s | FileCheck %s

declare void @us.barrier(i32, i32)

; CHECK-LABEL: define dso_local void @k(
; CHECK-DAG: add i32 %{{.*}}, 101
; CHECK-DAG: add i32 %{{.*}}, 102
; CHECK-DAG: add i32 %{{.*}}, 103
; CHECK-DAG: call void @us.barrier(i32 1, i32 1)
; CHECK-NOT: us-inline
define spir_kernel void @k(ptr addrspace(1) %out, i32 %n) {
  %a = call spir_func i32 @first(i32 %n)
  %b = call spir_func i32 @shared(i32 %a)
  %c = call spir_func i32 @shared(i32 %b)
  %d = call spir_func i32 @ping(i32 %c)
  %e = call spir_func i32 @pong(i32 %d)
  store i32 %e, ptr addrspace(1) %out
  ret void
}

; CHECK-NOT: @first
define spir_func i32 @first(i32 %x) {
  %a = add i32 %x, 101
  %r = call spir_func i32 @second(i32 %a)
  ret i32 %r
}
; CHECK-NOT: @second
define spir_func i32 @second(i32 %x) {
  %r = call spir_func i32 @third(i32 %x)
  %b = add i32 %r, 102
  ret i32 %b
}
; CHECK-NOT: @third
define spir_func i32 @third(i32 %x) {
  call void @us.barrier(i32 1, i32 1)
  %c = add i32 %x, 103
  ret i32 %c
}
; CHECK-NOT: @shared
define spir_func i32 @shared(i32 %x) {
  %r = call spir_func i32 @only(i32 %x)
  ret i32 %r
}
; CHECK-NOT: @only
define spir_func i32 @only(i32 %x) {
  %r = mul i32 %x, 77
  ret i32 %r
}

define spir_func i32 @ping(i32 %x) {
  %stop = icmp slt i32 %x, 2
  br i1 %stop, label %end, label %again
again:
  %y = sub i32 %x, 1
  %r = call spir_func i32 @pong(i32 %y)
  br label %end
end:
  %v = phi i32 [ 1, %0 ], [ %r, %again ]
  ret i32 %v
}
define spir_func i32 @pong(i32 %x) {
  %stop = icmp slt i32 %x, 3
  br i1 %stop, label %end, label %again
again:
  %y = sub i32 %x, 2
  %s = call spir_func i32 @ping(i32 %y)
  br label %end
end:
  %v = phi i32 [ 1, %0 ], [ %s, %again ]
  ret i32 %v
}
; CHECK-NOT: us-inline
