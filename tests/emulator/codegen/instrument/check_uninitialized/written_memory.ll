; Local memory that all of a group fill before a barrier, and behind it somebody reads, has no shadow; nor has a private
; array that a loop fills. What is stored there has to have been written, too.
; RUN: us-opt -passes=check_uninitialized -checks=uninitialized -local-size=16 -kernel=filled %s | FileCheck %s -check-prefix=NONE
; RUN: us-opt -passes=check_uninitialized -checks=uninitialized -local-size=15 -kernel=filled %s | FileCheck %s -check-prefix=SOME
; RUN: us-opt -passes=check_uninitialized -checks=uninitialized -local-size=16 -ragged -kernel=filled %s | FileCheck %s -check-prefix=SOME
; RUN: us-opt -passes=check_uninitialized -checks=uninitialized -kernel=filled %s | FileCheck %s -check-prefix=SOME
; RUN: us-opt -passes=check_uninitialized -checks=uninitialized -local-size=16 -kernel=early %s | FileCheck %s -check-prefix=SOME
; RUN: us-opt -passes=check_uninitialized -checks=uninitialized -local-size=16 -kernel=nothing %s | FileCheck %s -check-prefix=SOME
; RUN: us-opt -passes=check_uninitialized -checks=uninitialized -followed=1 -local-size=16 -kernel=filled %s | FileCheck %s -check-prefix=SOME
; RUN: us-opt -passes=check_uninitialized -checks=uninitialized -local-size=1 -kernel=own %s | FileCheck %s -check-prefix=OWN
target triple = "x86_64-pc-linux-gnu"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
@tile = internal addrspace(3) global [16 x i32] undef, align 4
declare i64 @us.local_id(i32)
declare void @us.barrier(i32, i32)

; NONE-LABEL: define spir_kernel void
; NONE-NOT: us.local_arena
; NONE-NOT: us_local_is_checked
; SOME: "us_local_is_checked"
define spir_kernel void @filled(ptr addrspace(1) %in, ptr addrspace(1) %out) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %id = call i64 @us.local_id(i32 0)
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %value = load i32, ptr addrspace(1) %from
  %place = getelementptr [16 x i32], ptr addrspace(3) @tile, i64 0, i64 %id
  store i32 %value, ptr addrspace(3) %place
  call void @us.barrier(i32 1, i32 1)
  %back = sub i64 15, %id
  %other = getelementptr [16 x i32], ptr addrspace(3) @tile, i64 0, i64 %back
  %read = load i32, ptr addrspace(3) %other
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %read, ptr addrspace(1) %to
  ret void
}

; No barrier is between them.
@tile_early = internal addrspace(3) global [16 x i32] undef, align 4
define spir_kernel void @early(ptr addrspace(1) %in, ptr addrspace(1) %out) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %id = call i64 @us.local_id(i32 0)
  %place = getelementptr [16 x i32], ptr addrspace(3) @tile_early, i64 0, i64 %id
  store i32 1, ptr addrspace(3) %place
  %back = sub i64 15, %id
  %other = getelementptr [16 x i32], ptr addrspace(3) @tile_early, i64 0, i64 %back
  %read = load i32, ptr addrspace(3) %other
  store i32 %read, ptr addrspace(1) %out
  call void @us.barrier(i32 1, i32 1)
  ret void
}

; What is stored is what another, unwritten variable has.
@tile_of_nothing = internal addrspace(3) global [16 x i32] undef, align 4
@empty = internal addrspace(3) global [16 x i32] undef, align 4
define spir_kernel void @nothing(ptr addrspace(1) %in, ptr addrspace(1) %out) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %id = call i64 @us.local_id(i32 0)
  %value = load i32, ptr addrspace(3) @empty
  %place = getelementptr [16 x i32], ptr addrspace(3) @tile_of_nothing, i64 0, i64 %id
  store i32 %value, ptr addrspace(3) %place
  call void @us.barrier(i32 1, i32 1)
  %read = load i32, ptr addrspace(3) @tile_of_nothing
  store i32 %read, ptr addrspace(1) %out
  ret void
}

; OWN-NOT: .shadow
define spir_kernel void @own(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %which) !kernel_arg_addr_space !3 !kernel_arg_base_type !4 !kernel_arg_type_qual !5 {
  %array = alloca [8 x i32], align 4
  br label %round
round:
  %k = phi i32 [ 0, %0 ], [ %next, %body ]
  %more = icmp slt i32 %k, 8
  br i1 %more, label %body, label %end
body:
  %index = sext i32 %k to i64
  %place = getelementptr [8 x i32], ptr %array, i64 0, i64 %index
  store i32 %k, ptr %place, align 4
  %next = add nsw i32 %k, 1
  br label %round
end:
  %any = zext i32 %which to i64
  %one = getelementptr [8 x i32], ptr %array, i64 0, i64 %any
  %read = load i32, ptr %one
  store i32 %read, ptr addrspace(1) %out
  ret void
}
!0 = !{i32 1, i32 1}
!1 = !{!"int*", !"int*"}
!2 = !{!"", !""}
!3 = !{i32 1, i32 1, i32 0}
!4 = !{!"int*", !"int*", !"int"}
!5 = !{!"", !"", !""}
