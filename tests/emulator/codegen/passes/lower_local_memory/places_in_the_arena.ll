; RUN: us-opt -passes=assign_memory_offsets,lower_local_memory -kernel=k %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-NOT: @a
@a = internal addrspace(3) global [4 x i32] undef
@b = internal addrspace(3) global [4 x i32] undef
declare ptr addrspace(3) @us.exchange()

; CHECK-LABEL: @k
define void @k(i64 %i) {
  ; CHECK: [[ARENA:%.*]] = load ptr addrspace(3), ptr %{{.*}}, !invariant.load
  ; CHECK: %b = getelementptr inbounds i8, ptr addrspace(3) [[ARENA]], i64 16
  ; CHECK: [[ELEMENT:%.*]] = getelementptr {{.*}}ptr addrspace(3) %b
  ; CHECK: store i32 1, ptr addrspace(3) [[ELEMENT]]
  store i32 0, ptr addrspace(3) @a
  store i32 1, ptr addrspace(3) getelementptr ([4 x i32], ptr addrspace(3) @b, i64 0, i64 2)
  ; CHECK: [[EXCHANGE:%.*]] = load ptr addrspace(3), ptr %{{.*}}, !invariant.load
  ; CHECK: store i32 2, ptr addrspace(3) [[EXCHANGE]]
  %e = call ptr addrspace(3) @us.exchange()
  store i32 2, ptr addrspace(3) %e
  ret void
}
