; Values at their natural alignment, a structure by value where it lies, a local pointer as an offset into the arena.
; RUN: us-opt -passes=lower_kernel_arguments -kernel=k %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%S = type { i32, i64 }

; CHECK-LABEL: define void @k()
define void @k(ptr addrspace(1) %a, i8 %c, ptr byval(%S) align 8 %s, ptr addrspace(3) %t, <3 x float> %v) {
  ; CHECK: [[BLOCK:%arguments]] = load ptr, ptr %{{.*}}, !invariant.load
  ; CHECK: %a = load ptr addrspace(1), ptr [[BLOCK]], {{.*}}!invariant.load
  ; CHECK: [[AT8:%.*]] = getelementptr inbounds i8, ptr [[BLOCK]], i64 8
  ; CHECK: %c = load i8, ptr [[AT8]]
  ; CHECK: [[S:%.*]] = getelementptr inbounds i8, ptr [[BLOCK]], i64 16
  ; CHECK: [[AT32:%.*]] = getelementptr inbounds i8, ptr [[BLOCK]], i64 32
  ; CHECK: [[OFFSET:%.*]] = load i64, ptr [[AT32]]
  ; CHECK: %arena = load ptr addrspace(3), ptr %{{.*}}
  ; CHECK: %t = getelementptr inbounds i8, ptr addrspace(3) %arena, i64 [[OFFSET]]
  ; CHECK: [[AT48:%.*]] = getelementptr inbounds i8, ptr [[BLOCK]], i64 48
  ; CHECK: %v = load <3 x float>, ptr [[AT48]]
  ; CHECK: load i32, ptr [[S]]
  %x = load i32, ptr %s
  store i32 %x, ptr addrspace(1) %a
  store i8 %c, ptr addrspace(3) %t
  store <3 x float> %v, ptr addrspace(1) %a
  ret void
}
