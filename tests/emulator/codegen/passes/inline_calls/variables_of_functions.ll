; With checks that make values of variables, those of a function are values before it is copied, so what a constant
; argument decides is decided in each copy. One that is read before it is written stays, where that is told.
; RUN: us-opt -passes=inline_calls -checks=uninitialized -kernel=k %s | FileCheck %s
; RUN: us-opt -passes=inline_calls -kernel=k %s | FileCheck %s -check-prefix=UNCHECKED

; CHECK-LABEL: define spir_kernel void @k(
; CHECK:       %kept.i = alloca i32
; CHECK-NOT:   alloca
; CHECK:       %[[DOUBLE:.*]] = shl i32 %n, 1
; CHECK-NOT:   br i1
; CHECK:       %[[READ:.*]] = load i32, ptr %kept.i
; CHECK-NEXT:  %[[SUM:.*]] = add i32 %[[DOUBLE]], %[[READ]]
; CHECK-NEXT:  call void @llvm.lifetime.end
; CHECK-NEXT:  store i32 %[[SUM]], ptr addrspace(1) %out
; UNCHECKED-LABEL: define spir_kernel void @k(
; UNCHECKED:       %by.addr.i = alloca i32
; UNCHECKED:       br i1
define spir_kernel void @k(ptr addrspace(1) %out, i32 %n) {
  %r = call spir_func i32 @shifted(i32 %n, i32 1)
  store i32 %r, ptr addrspace(1) %out
  ret void
}

define internal spir_func i32 @shifted(i32 %x, i32 %by) {
  %by.addr = alloca i32
  %kept = alloca i32
  %result = alloca i32
  store i32 %by, ptr %by.addr
  %first = load i32, ptr %by.addr
  %is = icmp eq i32 %first, 1
  br i1 %is, label %one, label %more
one:
  %twice = shl i32 %x, 1
  store i32 %twice, ptr %result
  br label %end
more:
  %again = load i32, ptr %by.addr
  %many = shl i32 %x, %again
  store i32 %many, ptr %result
  br label %end
end:
  %y = load i32, ptr %result
  %z = load i32, ptr %kept
  %sum = add i32 %y, %z
  ret i32 %sum
}
