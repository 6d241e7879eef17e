; A private variable has one for its shadow, all ones in the beginning, and one for its origins; a branch that depends on
; it is told. Nothing of the sanitizer's own is left, and other functions stay what they are.
; RUN: us-opt -passes=check_uninitialized -checks=uninitialized -kernel=k %s | FileCheck %s
; RUN: us-opt -passes=check_uninitialized -checks=memory -kernel=k %s | FileCheck %s -check-prefix=NONE
target triple = "x86_64-pc-linux-gnu"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define spir_kernel void @k(
; CHECK:      %x.shadow = alloca [4 x i8], align 8
; CHECK:      %x.origins = alloca [8 x i8], align 8
; CHECK:      %x = alloca i32
; CHECK:      call void @llvm.memset.p0.i64(ptr align 8 %x.shadow, i8 -1, i64 4, i1 false)
; CHECK-NEXT: call void @llvm.memset.p0.i64(ptr align 8 %x.origins, i8 1, i64 8, i1 false)
; CHECK:      write:
; CHECK:      store i32 0, ptr %{{.*}}
; CHECK:      store i32 1, ptr %x
; CHECK:      read:
; CHECK:      %[[SHADOW:.*]] = load i32, ptr %{{.*}}
; CHECK:      call void @us.check_failed(i32 5, ptr addrspace(2) @us.site.{{.*}}, i64 %{{.*}}, i64 ptrtoint (ptr addrspace(2) @us.site.{{.*}} to i64), i64 0)
; CHECK:      br i1 %large, label %then, label %end
; CHECK-LABEL: define i32 @other(
; CHECK-NEXT: ret i32 %i
; CHECK-NOT:  call {{.*}}@__msan
; NONE-NOT:   shadow
define spir_kernel void @k(i1 %c, ptr addrspace(1) %out) {
entry:
  %x = alloca i32, align 4
  br i1 %c, label %write, label %read
write:
  store i32 1, ptr %x, align 4
  br label %read
read:
  %value = load i32, ptr %x, align 4
  %large = icmp sgt i32 %value, 5
  br i1 %large, label %then, label %end
then:
  %more = call i32 @other(i32 1)
  store i32 %more, ptr addrspace(1) %out, align 4
  br label %end
end:
  ret void
}
define i32 @other(i32 %i) {
  ret i32 %i
}
