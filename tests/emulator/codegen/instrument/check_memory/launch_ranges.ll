; Where the first and the last place that a launch goes to say all, the launch is asked about once, and the access is not
; looked at. What only some work-item decides is.
; RUN: us-opt -passes=check_memory -checks=memory -kernel=rows %s | FileCheck %s -check-prefix=ROWS
; RUN: us-opt -passes=check_memory -checks=memory -exhaustive=memory -kernel=rows %s | FileCheck %s -check-prefix=ALL
; RUN: us-opt -passes=check_memory -checks=memory -kernel=table %s | FileCheck %s -check-prefix=TABLE
; RUN: us-opt -passes=check_memory -checks=memory -kernel=unsigned %s | FileCheck %s -check-prefix=UNSIGNED
; RUN: us-opt -passes=check_memory -checks=memory -kernel=guarded %s | FileCheck %s -check-prefix=GUARDED
; RUN: us-opt -passes=check_memory -checks=memory -kernel=vectors %s | FileCheck %s -check-prefix=VECTORS
; RUN: us-opt -passes=check_memory -checks=memory -kernel=tiles %s | FileCheck %s -check-prefix=TILES
; RUN: us-opt -passes=check_memory -checks=memory -kernel=turned %s | FileCheck %s -check-prefix=TURNED
; RUN: us-opt -passes=check_memory -checks=memory -kernel=turned_within %s | FileCheck %s -check-prefix=WITHIN
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @us.global_id(i32)
declare i64 @us.local_id(i32)
declare i64 @us.group_id(i32)

; ROWS-LABEL: define spir_kernel void @rows(
; ROWS:      call void @us.require(i32 {{[0-9]+}}, i32 %{{.*}})
; ROWS-NOT:  us.check_failed
; ROWS:      ret void
; ALL-LABEL: define spir_kernel void @rows(
; ALL-NOT:   us.require
; ALL:       call void @us.check_failed(
define spir_kernel void @rows(ptr addrspace(1) align 4 %out, i32 %width) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %x = call i64 @us.global_id(i32 0)
  %y = call i64 @us.global_id(i32 1)
  %row = trunc i64 %y to i32
  %column = trunc i64 %x to i32
  %begin = mul nsw i32 %row, %width
  %index = add nsw i32 %begin, %column
  %wide = sext i32 %index to i64
  %place = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %wide
  store i32 1, ptr addrspace(1) %place, align 4
  ret void
}

; By groups' ids and local ones: a launch is asked about both.
; TURNED-LABEL: define spir_kernel void @turned(
; TURNED:     call i64 @us.num_groups(i32 0)
; TURNED:     call void @us.require(
; TURNED-NOT: us.check_failed
; TURNED:     ret void
define spir_kernel void @turned(ptr addrspace(1) align 4 %out, i64 %width) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %x = call i64 @us.group_id(i32 0)
  %i = call i64 @us.local_id(i32 0)
  %left = mul i64 %x, 16
  %row = add i64 %left, %i
  %begin = mul i64 %row, %width
  %place = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %begin
  store i32 1, ptr addrspace(1) %place, align 4
  ret void
}

; What is compared there keeps some items from it: the launch is not asked about all of them.
; WITHIN-LABEL: define spir_kernel void @turned_within(
; WITHIN:     call void @us.check_failed(
define spir_kernel void @turned_within(ptr addrspace(1) align 4 %out, i64 %width) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %x = call i64 @us.group_id(i32 0)
  %i = call i64 @us.local_id(i32 0)
  %left = mul i64 %x, 16
  %row = add i64 %left, %i
  %begin = mul i64 %row, %width
  %is.within = icmp ult i64 %begin, 100
  br i1 %is.within, label %write, label %end
write:
  %place = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %begin
  store i32 1, ptr addrspace(1) %place, align 4
  br label %end
end:
  ret void
}

; TABLE-LABEL: define spir_kernel void @table(
; TABLE:     call void @us.check_failed(
define spir_kernel void @table(ptr addrspace(1) align 4 %out, i32 %mask) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %x = call i64 @us.global_id(i32 0)
  %wide = zext i32 %mask to i64
  %index = and i64 %x, %wide
  %place = getelementptr inbounds i32, ptr addrspace(1) %out, i64 %index
  store i32 1, ptr addrspace(1) %place, align 4
  ret void
}

; One before the first is far behind the last for a number without sign, also where a step comes back from there.
; UNSIGNED-LABEL: define spir_kernel void @unsigned(
; UNSIGNED:  call void @us.check_failed(
define spir_kernel void @unsigned(ptr addrspace(1) align 4 %out, i32 %width) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %x = call i64 @us.global_id(i32 0)
  %index = trunc i64 %x to i32
  %before = add i32 %index, -1
  %wide = zext i32 %before to i64
  %place = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  %next = getelementptr i32, ptr addrspace(1) %place, i64 1
  store i32 1, ptr addrspace(1) %next, align 4
  ret void
}

; Work-items beyond the last element do nothing: what the guard compares with counts, not how many there are.
; GUARDED-LABEL: define spir_kernel void @guarded(
; GUARDED:   %[[LIMIT:.*]] = sext i32 %count to i64
; GUARDED:   call i64 @llvm.smin.i64(
; GUARDED:   call void @us.require(
; GUARDED-NOT: us.check_failed
; GUARDED:   ret void
define spir_kernel void @guarded(ptr addrspace(1) align 4 %out, i32 %count) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %x = call i64 @us.global_id(i32 0)
  %index = trunc i64 %x to i32
  %beyond = icmp sge i32 %index, %count
  br i1 %beyond, label %end, label %work
work:
  %wide = sext i32 %index to i64
  %place = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  store i32 1, ptr addrspace(1) %place, align 4
  br label %end
end:
  ret void
}

; Whether all are aligned is asked, too, where nobody has said it.
; VECTORS-LABEL: define spir_kernel void @vectors(
; VECTORS:   %[[PARTS:.*]] = or i64 %{{.*}}, 16
; VECTORS:   and i64 %[[PARTS]], 15
; VECTORS:   call void @us.require(
; VECTORS-NOT: us.check_failed
; VECTORS:   ret void
define spir_kernel void @vectors(ptr addrspace(1) align 4 %out, i32 %unused) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %x = call i64 @us.global_id(i32 0)
  %place = getelementptr <4 x i32>, ptr addrspace(1) %out, i64 %x
  store <4 x i32> zeroinitializer, ptr addrspace(1) %place, align 16
  ret void
}

; A loop that counts further on each time ends after a quotient of rounds.
; TILES-LABEL: define spir_kernel void @tiles(
; TILES:      udiv i64
; TILES:      call void @us.require(
; TILES-NOT:  us.check_failed
; TILES:      ret void
define spir_kernel void @tiles(ptr addrspace(1) align 4 %out, i32 %count) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  br label %round
round:
  %t = phi i32 [ 0, %0 ], [ %next, %body ]
  %more = icmp slt i32 %t, %count
  br i1 %more, label %body, label %end
body:
  %wide = sext i32 %t to i64
  %place = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  store i32 1, ptr addrspace(1) %place, align 4
  %next = add nsw i32 %t, 16
  br label %round
end:
  ret void
}
!0 = !{i32 1, i32 0}
!1 = !{!"int*", !"int"}
!2 = !{!"", !""}
