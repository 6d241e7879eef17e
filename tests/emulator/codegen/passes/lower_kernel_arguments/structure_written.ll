; A structure argument that the kernel changes is copied first: each work-item has its own.
; RUN: us-opt -passes=lower_kernel_arguments -kernel=k %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%S = type { i32, i64 }

; CHECK-LABEL: define void @k()
define void @k(ptr byval(%S) align 8 %s) {
  ; CHECK: [[COPY:%.*]] = alloca %S, align 8
  ; CHECK: call void @llvm.memcpy{{.*}}(ptr align 8 [[COPY]], ptr align 8 %{{.*}}, i64 16, i1 false)
  ; CHECK: store i32 1, ptr [[COPY]]
  store i32 1, ptr %s
  ret void
}
