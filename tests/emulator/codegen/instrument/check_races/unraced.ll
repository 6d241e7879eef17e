; A buffer that is only read, and one of which each work-item has its own elements: nothing is told of either, in
; launches whose arguments are apart and whose work-items are in one row.
; RUN: us-opt -passes=check_races -checks=races -kernel=own %s | FileCheck %s -check-prefix=OWN
; RUN: us-opt -passes=check_races -checks=races -exhaustive=races -tells-accesses -kernel=own %s | FileCheck %s -check-prefix=ALL
; RUN: us-opt -passes=check_races -checks=races -kernel=pairs %s | FileCheck %s -check-prefix=PAIRS
; RUN: us-opt -passes=check_races -checks=races -kernel=counts %s | FileCheck %s -check-prefix=COUNTS
; RUN: us-opt -passes=check_races -checks=races -local-size=64 -kernel=results %s | FileCheck %s -check-prefix=RESULTS
; RUN: us-opt -passes=check_races -checks=races -kernel=results %s | FileCheck %s -check-prefix=RESULTS
; RUN: us-opt -passes=check_races -checks=races -local-size=64 -kernel=results_of_two %s | FileCheck %s -check-prefix=TOLD
; RUN: us-opt -passes=check_races -checks=races -local-size=64 -kernel=results_of_pairs %s | FileCheck %s -check-prefix=TOLD
; RUN: us-opt -passes=check_races -checks=races -local-size=64 -kernel=results_of_all %s | FileCheck %s -check-prefix=TOLD
; RUN: us-opt -passes=check_races -checks=races -local-size=64 -kernel=blocks %s | FileCheck %s -check-prefix=BLOCKS
; RUN: us-opt -passes=check_races -checks=races -local-size=16,16 -kernel=turned %s | FileCheck %s -check-prefix=TURNED
; RUN: us-opt -passes=check_races -checks=races -local-size=16,16 -kernel=turned_rows %s | FileCheck %s -check-prefix=TOLD
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @us.global_id(i32)
declare i64 @us.local_id(i32)
declare i64 @us.group_id(i32)

; OWN-LABEL: define spir_kernel void @own(
; OWN:       call i64 @us.global_size(i32 1)
; OWN:       getelementptr inbounds i8, ptr %{{.*}}, i64 40
; OWN-NEXT:  load i64
; OWN:       call void @us.require(i32 {{[0-9]+}}, i32 %{{.*}})
; OWN-NOT:   call void @us.{{cell_race|memory_access}}
; OWN-NOT:   us_races_are_checked
; ALL-LABEL: define spir_kernel void @own(
; ALL-NOT:   us.require
; ALL:       call void @us.memory_access(i64 %{{.*}}, i64 4, i32 0,
; ALL:       call void @us.memory_access(i64 %{{.*}}, i64 4, i32 257,
; ALL:       "us_races_are_checked"
define spir_kernel void @own(ptr addrspace(1) %in, ptr addrspace(1) %out) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %id = call i64 @us.global_id(i32 0)
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %next = getelementptr i32, ptr addrspace(1) %from, i64 1
  %x = load i32, ptr addrspace(1) %next, align 4
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %x, ptr addrspace(1) %to, align 4
  ret void
}

; Two work-items have one element: what is written is looked at, what is only read is not.
; PAIRS-LABEL: define spir_kernel void @pairs(
; PAIRS:       call void @us.require(
; PAIRS-COUNT-1: call void @us.cell_race(i64 %{{.*}}, i64 4, i32 257,
; PAIRS-NOT:   call void @us.{{cell_race|memory_access}}
; PAIRS:       "us_cell_arguments"="1"
define spir_kernel void @pairs(ptr addrspace(1) %in, ptr addrspace(1) %out) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %id = call i64 @us.global_id(i32 0)
  %x = load i32, ptr addrspace(1) %in, align 4
  %half = udiv i64 %id, 2
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %half
  store i32 %x, ptr addrspace(1) %to, align 4
  ret void
}

; Atomic operations do not race with each other.
; COUNTS-LABEL: define spir_kernel void @counts(
; COUNTS:       call void @us.require(
; COUNTS-NOT:   us.{{cell_race|memory_access}}
define spir_kernel void @counts(ptr addrspace(1) %in, ptr addrspace(1) %out) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %id = call i64 @us.global_id(i32 0)
  %from = getelementptr i32, ptr addrspace(1) %in, i64 %id
  %x = load i32, ptr addrspace(1) %from, align 4
  %place = zext i32 %x to i64
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %place
  %old = atomicrmw add ptr addrspace(1) %to, i32 1 monotonic
  ret void
}

; A tile of each group, turned: the launch puts the steps of groups and items in order.
; TURNED-LABEL: define spir_kernel void @turned(
; TURNED:       call i64 @us.num_groups(i32 0)
; TURNED:       call i64 @us.num_groups(i32 1)
; TURNED:       call void @us.require(
; TURNED-NOT:   us.{{cell_race|memory_access}}
define spir_kernel void @turned(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %width) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %x = call i64 @us.group_id(i32 0)
  %y = call i64 @us.group_id(i32 1)
  %i = call i64 @us.local_id(i32 0)
  %j = call i64 @us.local_id(i32 1)
  %left = mul i64 %x, 16
  %top = mul i64 %y, 16
  %row = add i64 %left, %j
  %begin = mul i64 %row, %width
  %column = add i64 %top, %i
  %place = add i64 %begin, %column
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %place
  store i32 1, ptr addrspace(1) %to, align 4
  ret void
}

; All of a row of the tile go to one place.
; TOLD-LABEL: define spir_kernel void @turned_rows(
define spir_kernel void @turned_rows(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %width) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %x = call i64 @us.group_id(i32 0)
  %j = call i64 @us.local_id(i32 1)
  %top = mul i64 %x, 16
  %place = add i64 %top, %j
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %place
  store i32 1, ptr addrspace(1) %to, align 4
  ret void
}

; One work-item of each group has the group's place, where the other dimensions have only one.
; RESULTS-LABEL: define spir_kernel void @results(
; RESULTS:       call i64 @us.enqueued_local_size(i32 1)
; RESULTS:       call i64 @us.num_groups(i32 0)
; RESULTS:       call void @us.require(
; RESULTS-NOT:   us.{{cell_race|memory_access}}
define spir_kernel void @results(ptr addrspace(1) %in, ptr addrspace(1) %out) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  %group = call i64 @us.group_id(i32 0)
  %first = icmp eq i32 %lid, 0
  br i1 %first, label %write, label %end
write:
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %group
  store i32 1, ptr addrspace(1) %to, align 4
  br label %end
end:
  ret void
}

; Two of its work-items have it.
; TOLD: call void @us.cell_race(
define spir_kernel void @results_of_two(ptr addrspace(1) %in, ptr addrspace(1) %out) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %id = call i64 @us.local_id(i32 0)
  %group = call i64 @us.group_id(i32 0)
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %group
  %first = icmp eq i64 %id, 0
  br i1 %first, label %write, label %other
write:
  store i32 1, ptr addrspace(1) %to, align 4
  br label %other
other:
  %second = icmp eq i64 %id, 1
  br i1 %second, label %write_again, label %end
write_again:
  store i32 1, ptr addrspace(1) %to, align 4
  br label %end
end:
  ret void
}

; Two groups have one.
define spir_kernel void @results_of_pairs(ptr addrspace(1) %in, ptr addrspace(1) %out) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %id = call i64 @us.local_id(i32 0)
  %group = call i64 @us.group_id(i32 0)
  %pair = lshr i64 %group, 1
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %pair
  %first = icmp eq i64 %id, 0
  br i1 %first, label %write, label %end
write:
  store i32 1, ptr addrspace(1) %to, align 4
  br label %end
end:
  ret void
}

; All of the group write.
define spir_kernel void @results_of_all(ptr addrspace(1) %in, ptr addrspace(1) %out) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %group = call i64 @us.group_id(i32 0)
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %group
  store i32 1, ptr addrspace(1) %to, align 4
  ret void
}

; A group's size is known, and its work-items have as many places.
; BLOCKS-LABEL: define spir_kernel void @blocks(
; BLOCKS:       call void @us.require(
; BLOCKS-NOT:   us.{{cell_race|memory_access}}
define spir_kernel void @blocks(ptr addrspace(1) %in, ptr addrspace(1) %out) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %id = call i64 @us.local_id(i32 0)
  %group = call i64 @us.group_id(i32 0)
  %begin = mul i64 %group, 64
  %place = add i64 %begin, %id
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %place
  store i32 1, ptr addrspace(1) %to, align 4
  ret void
}
!0 = !{i32 1, i32 1}
!1 = !{!"int*", !"int*"}
!2 = !{!"", !""}
