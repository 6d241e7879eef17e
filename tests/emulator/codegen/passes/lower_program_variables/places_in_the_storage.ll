; RUN: us-opt -passes=assign_memory_offsets,lower_program_variables -kernel=k %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-NOT: @counter
@counter = addrspace(1) global i32 5
@reference = addrspace(2) constant ptr addrspace(1) @counter
; CHECK: @table = internal addrspace(2) constant
@table = internal addrspace(2) constant [2 x i32] [i32 1, i32 2]

; CHECK-LABEL: @k
define i32 @k(i64 %i) {
  ; CHECK: [[STORAGE:%.*]] = load ptr addrspace(1), ptr %{{.*}}, !invariant.load
  ; CHECK-DAG: %counter = getelementptr inbounds i8, ptr addrspace(1) [[STORAGE]], i64 0
  ; CHECK-DAG: %reference = getelementptr inbounds i8, ptr addrspace(1) [[STORAGE]], i64 8
  ; CHECK: load i32, ptr addrspace(1) %counter
  %c = load i32, ptr addrspace(1) @counter
  %p = load ptr addrspace(1), ptr addrspace(2) @reference
  %d = load i32, ptr addrspace(1) %p
  %e = getelementptr [2 x i32], ptr addrspace(2) @table, i64 0, i64 %i
  %f = load i32, ptr addrspace(2) %e
  %s = add i32 %c, %d
  %t = add i32 %s, %f
  ret i32 %t
}
