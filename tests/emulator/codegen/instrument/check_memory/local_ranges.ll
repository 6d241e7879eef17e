; Of groups of a known size it is known how far they go in local memory: what stays in a variable has no check, and a
; launch is asked whether an argument has what all of its work-items touch.
; RUN: us-opt -passes=check_memory -checks=memory -local-size=16,16 -kernel=rows %s | FileCheck %s -check-prefix=NONE
; RUN: us-opt -passes=check_memory -checks=memory -kernel=rows %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_memory -checks=memory -local-size=17,16 -kernel=rows %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_memory -checks=memory -local-size=256 -kernel=halves %s | FileCheck %s -check-prefix=NONE
; RUN: us-opt -passes=check_memory -checks=memory -local-size=512 -kernel=halves %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_memory -checks=memory -local-size=256 -kernel=one_more %s | FileCheck %s -check-prefix=ONE
; RUN: us-opt -passes=check_memory -checks=memory -local-size=256 -kernel=before %s | FileCheck %s -check-prefix=ONE
; RUN: us-opt -passes=check_memory -checks=memory -local-size=256 -kernel=argument %s | FileCheck %s -check-prefix=ASKED
; RUN: us-opt -passes=check_memory -checks=memory -local-size=256 -exhaustive=memory -kernel=argument %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_memory -checks=memory -local-size=256 -kernel=argument_of_some %s | FileCheck %s -check-prefix=ONE
; RUN: us-opt -passes=check_memory -checks=memory -local-size=16,16 -kernel=quotients %s | FileCheck %s -check-prefix=NONE
; RUN: us-opt -passes=check_memory -checks=memory -local-size=32,16 -kernel=quotients %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_memory -checks=memory -local-size=16,16 -kernel=sums %s | FileCheck %s -check-prefix=NONE
; RUN: us-opt -passes=check_memory -checks=memory -local-size=17,16 -kernel=sums %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_memory -checks=memory -local-size=16 -kernel=own %s | FileCheck %s -check-prefix=NONE
; RUN: us-opt -passes=check_memory -checks=memory -local-size=16 -kernel=own_and_one %s | FileCheck %s -check-prefix=ONE
; RUN: us-opt -passes=check_memory -checks=memory -local-size=16 -kernel=chosen %s | FileCheck %s -check-prefix=NONE
; RUN: us-opt -passes=check_memory -checks=memory -local-size=16 -kernel=chosen_beyond %s | FileCheck %s -check-prefix=ONE
; RUN: us-opt -passes=check_memory -checks=memory -local-size=16 -kernel=counted %s | FileCheck %s -check-prefix=NONE
; RUN: us-opt -passes=check_memory -checks=memory -local-size=16 -kernel=sorted %s | FileCheck %s -check-prefix=NONE
; RUN: us-opt -passes=check_memory -checks=memory -local-size=16 -kernel=sorted_beyond %s | FileCheck %s -check-prefix=TWO
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
@tile = internal addrspace(3) global [256 x i32] undef, align 4
@square = internal addrspace(3) global [16 x [16 x i32]] undef, align 4
declare i64 @us.local_id(i32)
declare void @us.barrier(i32, i32)

; NONE-NOT: us.{{check_failed|require}}(
; ONE-NOT: us.require(
; ONE-COUNT-1: call void @us.check_failed(
; ONE-NOT: call void @us.check_failed
; TWO-NOT: us.require(
; TWO: call void @us.check_failed(
; TWO: call void @us.check_failed(

; Rows by ids, and columns by what a loop counts.
define spir_kernel void @rows() {
  %x = call i64 @us.local_id(i32 0)
  %y = call i64 @us.local_id(i32 1)
  %row = getelementptr [16 x [16 x i32]], ptr addrspace(3) @square, i64 0, i64 %y
  %mine = getelementptr [16 x i32], ptr addrspace(3) %row, i64 0, i64 %x
  store i32 1, ptr addrspace(3) %mine, align 4
  br label %round
round:
  %k = phi i32 [ 0, %0 ], [ %next, %body ]
  %more = icmp slt i32 %k, 16
  br i1 %more, label %body, label %end
body:
  %column = sext i32 %k to i64
  %other = getelementptr [16 x i32], ptr addrspace(3) %row, i64 0, i64 %column
  %v = load i32, ptr addrspace(3) %other, align 4
  %next = add nsw i32 %k, 1
  br label %round
end:
  ret void
}

; A number that is not below 0, divided: a row for each 16, and what is left of it for the column. With rows of 32 work-items
; there are too many.
define spir_kernel void @quotients() {
  %x = call i64 @us.local_id(i32 0)
  %y = call i64 @us.local_id(i32 1)
  %size = call i64 @us.local_size(i32 0)
  %rows = mul i64 %y, %size
  %id = add i64 %rows, %x
  %number = trunc i64 %id to i32
  %row = sdiv i32 %number, 16
  %column = srem i32 %number, 16
  %first = sext i32 %row to i64
  %second = sext i32 %column to i64
  %place = getelementptr [16 x [16 x i32]], ptr addrspace(3) @square, i64 0, i64 %first, i64 %second
  store i32 1, ptr addrspace(3) %place, align 4
  ret void
}

@wide = internal addrspace(3) global [16 x [64 x i32]] undef, align 4

; In the loop's body it does not count as far as at its head: id + 16 * 3 at most.
define spir_kernel void @sums() {
  %x = call i64 @us.local_id(i32 0)
  %y = call i64 @us.local_id(i32 1)
  %id = trunc i64 %x to i32
  br label %round
round:
  %k = phi i32 [ 0, %0 ], [ %next, %body ]
  %more = icmp slt i32 %k, 4
  br i1 %more, label %body, label %end
body:
  %far = mul nsw i32 %k, 16
  %sum = add nsw i32 %id, %far
  %column = sext i32 %sum to i64
  %place = getelementptr [16 x [64 x i32]], ptr addrspace(3) @wide, i64 0, i64 %y, i64 %column
  store i32 1, ptr addrspace(3) %place, align 4
  %next = add nsw i32 %k, 1
  br label %round
end:
  ret void
}

; A private array that a loop goes through, and one that it goes one element too far in.
define spir_kernel void @own() {
  %array = alloca [8 x i32], align 4
  br label %round
round:
  %k = phi i32 [ 0, %0 ], [ %next, %body ]
  %more = icmp slt i32 %k, 8
  br i1 %more, label %body, label %end
body:
  %index = sext i32 %k to i64
  %place = getelementptr [8 x i32], ptr %array, i64 0, i64 %index
  store i32 1, ptr %place, align 4
  %next = add nsw i32 %k, 1
  br label %round
end:
  ret void
}
define spir_kernel void @own_and_one() {
  %array = alloca [8 x i32], align 4
  br label %round
round:
  %k = phi i32 [ 0, %0 ], [ %next, %body ]
  %more = icmp sle i32 %k, 8
  br i1 %more, label %body, label %end
body:
  %index = sext i32 %k to i64
  %place = getelementptr [8 x i32], ptr %array, i64 0, i64 %index
  store i32 1, ptr %place, align 4
  %next = add nsw i32 %k, 1
  br label %round
end:
  ret void
}

; With 256 of them lid + s is below 256; with 512 it is not.
define spir_kernel void @halves() {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  %size = call i64 @us.local_size(i32 0)
  %all = trunc i64 %size to i32
  %half = udiv i32 %all, 2
  br label %round
round:
  %s = phi i32 [ %half, %0 ], [ %next, %end ]
  %works = icmp ult i32 %lid, %s
  br i1 %works, label %work, label %end
work:
  %far = add i32 %lid, %s
  %from = zext i32 %far to i64
  %other = getelementptr i32, ptr addrspace(3) @tile, i64 %from
  %x = load i32, ptr addrspace(3) %other, align 4
  br label %end
end:
  call void @us.barrier(i32 1, i32 1)
  %next = udiv i32 %s, 2
  %more = icmp ugt i32 %next, 0
  br i1 %more, label %round, label %last
last:
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 1, ptr addrspace(3) %mine, align 4
  ret void
}
declare i64 @us.local_size(i32)

define spir_kernel void @one_more() {
  %id = call i64 @us.local_id(i32 0)
  %next = add i64 %id, 1
  %place = getelementptr i32, ptr addrspace(3) @tile, i64 %next
  store i32 1, ptr addrspace(3) %place, align 4
  ret void
}

define spir_kernel void @before() {
  %id = call i64 @us.local_id(i32 0)
  %next = sub i64 %id, 1
  %place = getelementptr i32, ptr addrspace(3) @tile, i64 %next
  store i32 1, ptr addrspace(3) %place, align 4
  ret void
}

; All touch 1024 bytes; those that only some touch are among them.
; ASKED: icmp uge i64 %{{.*}}, 1024
; ASKED: call void @us.require(i32 1,
; ASKED-NOT: call void @us.check_failed
define spir_kernel void @argument(ptr addrspace(3) align 4 %t) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %id = call i64 @us.local_id(i32 0)
  %mine = getelementptr i32, ptr addrspace(3) %t, i64 %id
  store i32 1, ptr addrspace(3) %mine, align 4
  %small = icmp ult i64 %id, 128
  br i1 %small, label %work, label %last
work:
  %other = getelementptr i32, ptr addrspace(3) %mine, i64 128
  %x = load i32, ptr addrspace(3) %other, align 4
  br label %last
last:
  ret void
}

; How much it has to be depends on what is compared.
define spir_kernel void @argument_of_some(ptr addrspace(3) align 4 %t, i64 %n) !kernel_arg_addr_space !3 !kernel_arg_base_type !4 !kernel_arg_type_qual !5 {
  %id = call i64 @us.local_id(i32 0)
  %small = icmp ult i64 %id, %n
  br i1 %small, label %work, label %last
work:
  %mine = getelementptr i32, ptr addrspace(3) %t, i64 %id
  store i32 1, ptr addrspace(3) %mine, align 4
  br label %last
last:
  ret void
}
; One of the numbers that it is chosen from, in whatever turn.
define spir_kernel void @chosen(i1 %c) !kernel_arg_addr_space !6 !kernel_arg_base_type !7 !kernel_arg_type_qual !2 {
  %v = alloca [5 x i32], align 4
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %least = phi i32 [ 0, %0 ], [ %both, %latch ]
  %more = icmp slt i32 %i, 5
  br i1 %more, label %body, label %end
body:
  br i1 %c, label %take, label %latch
take:
  br label %latch
latch:
  %both = phi i32 [ %least, %body ], [ %i, %take ]
  %next = add i32 %i, 1
  br label %head
end:
  %wide = sext i32 %least to i64
  %place = getelementptr [5 x i32], ptr %v, i64 0, i64 %wide
  store i32 1, ptr %place, align 4
  ret void
}

define spir_kernel void @chosen_beyond(i1 %c) !kernel_arg_addr_space !6 !kernel_arg_base_type !7 !kernel_arg_type_qual !2 {
  %v = alloca [5 x i32], align 4
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %least = phi i32 [ 5, %0 ], [ %both, %latch ]
  %more = icmp slt i32 %i, 5
  br i1 %more, label %body, label %end
body:
  br i1 %c, label %take, label %latch
take:
  br label %latch
latch:
  %both = phi i32 [ %least, %body ], [ %i, %take ]
  %next = add i32 %i, 1
  br label %head
end:
  %wide = sext i32 %least to i64
  %place = getelementptr [5 x i32], ptr %v, i64 0, i64 %wide
  store i32 1, ptr %place, align 4
  ret void
}

; What two loops count together.
define spir_kernel void @counted() {
  %v = alloca [6 x i32], align 4
  br label %outer
outer:
  %j = phi i32 [ 0, %0 ], [ %nextj, %outer.latch ]
  %n = phi i32 [ 0, %0 ], [ %m, %outer.latch ]
  %morej = icmp slt i32 %j, 2
  br i1 %morej, label %inner, label %end
inner:
  %i = phi i32 [ 0, %outer ], [ %nexti, %work ]
  %m = phi i32 [ %n, %outer ], [ %nextm, %work ]
  %morei = icmp slt i32 %i, 3
  br i1 %morei, label %work, label %outer.latch
work:
  %nextm = add nsw i32 %m, 1
  %wide = sext i32 %m to i64
  %place = getelementptr [6 x i32], ptr %v, i64 0, i64 %wide
  store i32 1, ptr %place, align 4
  %nexti = add nsw i32 %i, 1
  br label %inner
outer.latch:
  %nextj = add nsw i32 %j, 1
  br label %outer
end:
  ret void
}

; A condition of two parts: the first one bounds what the second one reads, and what is done behind both.
define spir_kernel void @sorted(i32 %x) !kernel_arg_addr_space !6 !kernel_arg_base_type !8 !kernel_arg_type_qual !2 {
  %v = alloca [9 x i32], align 4
  br label %round
round:
  %n = phi i32 [ 0, %0 ], [ %next, %found ]
  %more = icmp slt i32 %n, 9
  br i1 %more, label %left, label %end
left:
  %s = phi i32 [ %n, %round ], [ %less, %move ]
  %some = icmp sgt i32 %s, 0
  br i1 %some, label %compare, label %both
compare:
  %before = sub nsw i32 %s, 1
  %wide = sext i32 %before to i64
  %neighbor = getelementptr [9 x i32], ptr %v, i64 0, i64 %wide
  %other = load i32, ptr %neighbor, align 4
  %larger = icmp sgt i32 %other, %x
  br label %both
both:
  %goes = phi i1 [ false, %left ], [ %larger, %compare ]
  br i1 %goes, label %move, label %found
move:
  %from = sext i32 %s to i64
  %to = getelementptr [9 x i32], ptr %v, i64 0, i64 %from
  store i32 %x, ptr %to, align 4
  %less = sub nsw i32 %s, 1
  br label %left
found:
  %last = sext i32 %s to i64
  %place = getelementptr [9 x i32], ptr %v, i64 0, i64 %last
  store i32 %x, ptr %place, align 4
  %next = add nsw i32 %n, 1
  br label %round
end:
  ret void
}

define spir_kernel void @sorted_beyond(i32 %x) !kernel_arg_addr_space !6 !kernel_arg_base_type !8 !kernel_arg_type_qual !2 {
  %v = alloca [9 x i32], align 4
  br label %round
round:
  %n = phi i32 [ 0, %0 ], [ %next, %found ]
  %more = icmp slt i32 %n, 9
  br i1 %more, label %left, label %end
left:
  %s = phi i32 [ %n, %round ], [ %less, %move ]
  %some = icmp sgt i32 %s, -1
  br i1 %some, label %compare, label %both
compare:
  %before = sub nsw i32 %s, 1
  %wide = sext i32 %before to i64
  %neighbor = getelementptr [9 x i32], ptr %v, i64 0, i64 %wide
  %other = load i32, ptr %neighbor, align 4
  %larger = icmp sgt i32 %other, %x
  br label %both
both:
  %goes = phi i1 [ false, %left ], [ %larger, %compare ]
  br i1 %goes, label %move, label %found
move:
  %from = sext i32 %s to i64
  %to = getelementptr [9 x i32], ptr %v, i64 0, i64 %from
  store i32 %x, ptr %to, align 4
  %less = sub nsw i32 %s, 1
  br label %left
found:
  %last = sext i32 %s to i64
  %place = getelementptr [9 x i32], ptr %v, i64 0, i64 %last
  store i32 %x, ptr %place, align 4
  %next = add nsw i32 %n, 1
  br label %round
end:
  ret void
}
!0 = !{i32 3}
!1 = !{!"int*"}
!2 = !{!""}
!3 = !{i32 3, i32 0}
!4 = !{!"int*", !"long"}
!5 = !{!"", !""}
!6 = !{i32 0}
!7 = !{!"bool"}
!8 = !{!"int"}
