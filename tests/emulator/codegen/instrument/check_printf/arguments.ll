; How the arguments of CUDA's vprintf are stored is remembered byte by byte, and told before each call.
; RUN: us-opt -passes=check_printf -checks=printf -kernel=k %s | FileCheck %s
; RUN: us-opt -passes=check_printf -checks=memory -kernel=k %s | FileCheck %s --check-prefix=NONE

; NONE-NOT: us.printed

; CHECK:      %arguments = alloca [16 x i8]
; CHECK-NEXT: %[[STORED:.*]] = alloca [16 x i8]
; CHECK-NEXT: memset.p0.i64(ptr align 1 %[[STORED]], i8 0, i64 16
; A word, and a constant of two.
; CHECK:      store <4 x i8> {{<i8 1, i8 1, i8 1, i8 1>|splat \(i8 1\)}}, ptr
; CHECK-NEXT: store i32 %x, ptr %arguments
; CHECK:      store <8 x i8> {{<i8 4, .*>|splat \(i8 4\)}}, ptr
; CHECK-NEXT: store i64 5, ptr %second
; CHECK:      call void @us.printed(ptr addrspace(2) %format, ptr %{{.*}}, i64 %{{.*}})
; CHECK-NEXT: call i32 @us.printf(ptr addrspace(2) %format, ptr %arguments, i32 -1)
; CHECK-NEXT: call void @us.printed(ptr addrspace(2) %format, ptr null, i64 0)
; CHECK-NEXT: call i32 @us.printf(ptr addrspace(2) %format, ptr null, i32 -1)
; OpenCL's say themselves what they are. What is used in a way that is not followed is not looked at.
; CHECK-NOT:  us.printed
; CHECK:      call i32 @us.printf(ptr addrspace(2) %format, ptr %arguments, i32 16)
; CHECK-NOT:  us.printed
; CHECK:      call i32 @us.printf(ptr addrspace(2) %format, ptr %other, i32 -1)
; CHECK:      declare void @us.printed
define spir_kernel void @k(ptr addrspace(2) %format, i32 %x, ptr addrspace(1) %out) {
  %arguments = alloca [16 x i8]
  %other = alloca [16 x i8]
  store i32 %x, ptr %arguments
  %number = ptrtoint ptr %arguments to i64
  %sum = add i64 %number, 8
  %second = inttoptr i64 %sum to ptr
  store i64 5, ptr %second
  call i32 @us.printf(ptr addrspace(2) %format, ptr %arguments, i32 -1)
  call i32 @us.printf(ptr addrspace(2) %format, ptr null, i32 -1)
  call i32 @us.printf(ptr addrspace(2) %format, ptr %arguments, i32 16)
  store ptr %other, ptr addrspace(1) %out
  call i32 @us.printf(ptr addrspace(2) %format, ptr %other, i32 -1)
  ret void
}

declare i32 @us.printf(ptr addrspace(2), ptr, i32)
