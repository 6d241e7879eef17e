; Between two barriers a value that all work-items share may be a part of a place, and what is compared with an id bounds it:
; nobody reads at lid + s what somebody with lid < s writes at lid. What holds only for some values must not be taken for
; granted.
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=halves %s | FileCheck %s -check-prefix=NONE
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=halves_divided %s | FileCheck %s -check-prefix=NONE
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=halves_signed %s | FileCheck %s -check-prefix=NONE
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=mirrored %s | FileCheck %s -check-prefix=NONE
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=half_of_argument %s | FileCheck %s -check-prefix=NONE
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=argument %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=at_most %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=at_most_signed %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=one_less %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=mirrored_too_far %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=no_barrier %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=global_barrier %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=not_the_id %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=other_half %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=below_zero %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=own_stride %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_races -checks=races -local-size=64,4 -kernel=two_dimensions %s | FileCheck %s -check-prefix=ONE
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=updated %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=behind_the_barrier %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=result %s | FileCheck %s -check-prefix=NONE
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=result_too_early %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=everyone %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=one_ahead %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=two_rows %s | FileCheck %s -check-prefix=NONE
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=two_rows_met %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=short_rows %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=before_the_row %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=one_writer %s | FileCheck %s -check-prefix=NONE
; RUN: us-opt -passes=check_races -checks=races -local-size=64,4 -kernel=one_writer_of_each_row %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_races -checks=races -local-size=256 -kernel=two_barriers %s | FileCheck %s -check-prefix=TWO
; RUN: us-opt -passes=check_races -checks=races -local-size=32,8 -kernel=rows_apart %s | FileCheck %s -check-prefix=NONE
; RUN: us-opt -passes=check_races -checks=races -local-size=32,9 -kernel=rows_apart %s | FileCheck %s -check-prefix=ONE
; RUN: us-opt -passes=check_races -checks=races -local-size=33,8 -kernel=rows_apart %s | FileCheck %s -check-prefix=ONE
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
@tile = internal addrspace(3) global [512 x i32] undef, align 4
declare i64 @us.local_id(i32)
declare i64 @us.local_size(i32)
declare void @us.barrier(i32, i32)

; NONE-NOT:  us.{{cell_race|memory_access}}
; TWO-COUNT-2: call void @us.cell_race(
; TWO-NOT: call void @us.cell_race(
; ONE-COUNT-1: call void @us.cell_race(i64 %{{.*}}, i64 4, i32 257,
; ONE-NOT: call void @us.cell_race(

; What a tree does: all of it is apart.
define spir_kernel void @halves() {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  br label %round
round:
  %s = phi i32 [ 128, %0 ], [ %next, %end ]
  %works = icmp ult i32 %lid, %s
  br i1 %works, label %work, label %end
work:
  %far = add i32 %lid, %s
  %from = zext i32 %far to i64
  %other = getelementptr i32, ptr addrspace(3) @tile, i64 %from
  %x = load i32, ptr addrspace(3) %other, align 4
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 %x, ptr addrspace(3) %mine, align 4
  br label %end
end:
  call void @us.barrier(i32 1, i32 1)
  %next = lshr i32 %s, 1
  %more = icmp ugt i32 %next, 0
  br i1 %more, label %round, label %last
last:
  ret void
}

; The same, divided, and with the group's size.
define spir_kernel void @halves_divided() {
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
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 %x, ptr addrspace(3) %mine, align 4
  br label %end
end:
  call void @us.barrier(i32 1, i32 1)
  %next = udiv i32 %s, 2
  %more = icmp ugt i32 %next, 0
  br i1 %more, label %round, label %last
last:
  ret void
}

; Numbers with sign, of which the loop says that they are above 0.
define spir_kernel void @halves_signed() {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  br label %round
round:
  %s = phi i32 [ 128, %0 ], [ %next, %end ]
  %works = icmp slt i32 %lid, %s
  br i1 %works, label %work, label %end
work:
  %far = add i32 %lid, %s
  %from = sext i32 %far to i64
  %other = getelementptr i32, ptr addrspace(3) @tile, i64 %from
  %x = load i32, ptr addrspace(3) %other, align 4
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 %x, ptr addrspace(3) %mine, align 4
  br label %end
end:
  call void @us.barrier(i32 1, i32 1)
  %next = sdiv i32 %s, 2
  %more = icmp sgt i32 %next, 0
  br i1 %more, label %round, label %last
last:
  ret void
}

; Backwards from the other end.
define spir_kernel void @mirrored() {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  br label %round
round:
  %s = phi i32 [ 128, %0 ], [ %next, %end ]
  %works = icmp ult i32 %lid, %s
  br i1 %works, label %work, label %end
work:
  %twice = shl i32 %s, 1
  %end_of_it = sub i32 %twice, 1
  %far = sub i32 %end_of_it, %lid
  %from = zext i32 %far to i64
  %other = getelementptr i32, ptr addrspace(3) @tile, i64 %from
  %x = load i32, ptr addrspace(3) %other, align 4
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 %x, ptr addrspace(3) %mine, align 4
  br label %end
end:
  call void @us.barrier(i32 1, i32 1)
  %next = lshr i32 %s, 1
  %more = icmp ugt i32 %next, 0
  br i1 %more, label %round, label %last
last:
  ret void
}

; Half of any number is small enough not to wrap.
define spir_kernel void @half_of_argument(i32 %n) {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  %half = lshr i32 %n, 1
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
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 %x, ptr addrspace(3) %mine, align 4
  br label %end
end:
  call void @us.barrier(i32 1, i32 1)
  %next = lshr i32 %s, 1
  %more = icmp ugt i32 %next, 0
  br i1 %more, label %round, label %last
last:
  ret void
}

; Any number may wrap: with s = 2^32 - 1 work-item 1 reads what work-item 0 writes.
define spir_kernel void @argument(i32 %n) {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  br label %round
round:
  %s = phi i32 [ %n, %0 ], [ %next, %end ]
  %works = icmp ult i32 %lid, %s
  br i1 %works, label %work, label %end
work:
  %far = add i32 %lid, %s
  %from = zext i32 %far to i64
  %other = getelementptr i32, ptr addrspace(3) @tile, i64 %from
  %x = load i32, ptr addrspace(3) %other, align 4
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 %x, ptr addrspace(3) %mine, align 4
  br label %end
end:
  call void @us.barrier(i32 1, i32 1)
  %next = lshr i32 %s, 1
  %more = icmp ugt i32 %next, 0
  br i1 %more, label %round, label %last
last:
  ret void
}

; Work-item s writes what work-item 0 reads.
define spir_kernel void @at_most() {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  br label %round
round:
  %s = phi i32 [ 128, %0 ], [ %next, %end ]
  %works = icmp ule i32 %lid, %s
  br i1 %works, label %work, label %end
work:
  %far = add i32 %lid, %s
  %from = zext i32 %far to i64
  %other = getelementptr i32, ptr addrspace(3) @tile, i64 %from
  %x = load i32, ptr addrspace(3) %other, align 4
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 %x, ptr addrspace(3) %mine, align 4
  br label %end
end:
  call void @us.barrier(i32 1, i32 1)
  %next = lshr i32 %s, 1
  %more = icmp ugt i32 %next, 0
  br i1 %more, label %round, label %last
last:
  ret void
}

; The same.
define spir_kernel void @at_most_signed() {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  br label %round
round:
  %s = phi i32 [ 128, %0 ], [ %next, %end ]
  %works = icmp sle i32 %lid, %s
  br i1 %works, label %work, label %end
work:
  %far = add i32 %lid, %s
  %from = sext i32 %far to i64
  %other = getelementptr i32, ptr addrspace(3) @tile, i64 %from
  %x = load i32, ptr addrspace(3) %other, align 4
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 %x, ptr addrspace(3) %mine, align 4
  br label %end
end:
  call void @us.barrier(i32 1, i32 1)
  %next = lshr i32 %s, 1
  %more = icmp ugt i32 %next, 0
  br i1 %more, label %round, label %last
last:
  ret void
}

; Work-item 0 reads what work-item s - 1 writes.
define spir_kernel void @one_less() {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  br label %round
round:
  %s = phi i32 [ 128, %0 ], [ %next, %end ]
  %works = icmp ult i32 %lid, %s
  br i1 %works, label %work, label %end
work:
  %sum = add i32 %lid, %s
  %far = sub i32 %sum, 1
  %from = zext i32 %far to i64
  %other = getelementptr i32, ptr addrspace(3) @tile, i64 %from
  %x = load i32, ptr addrspace(3) %other, align 4
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 %x, ptr addrspace(3) %mine, align 4
  br label %end
end:
  call void @us.barrier(i32 1, i32 1)
  %next = lshr i32 %s, 1
  %more = icmp ugt i32 %next, 0
  br i1 %more, label %round, label %last
last:
  ret void
}

; Work-item s - 1 of the first half is met.
define spir_kernel void @mirrored_too_far() {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  br label %round
round:
  %s = phi i32 [ 128, %0 ], [ %next, %end ]
  %works = icmp ult i32 %lid, %s
  br i1 %works, label %work, label %end
work:
  %twice = shl i32 %s, 1
  %end_of_it = sub i32 %twice, 2
  %far = sub i32 %end_of_it, %lid
  %from = zext i32 %far to i64
  %other = getelementptr i32, ptr addrspace(3) @tile, i64 %from
  %x = load i32, ptr addrspace(3) %other, align 4
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 %x, ptr addrspace(3) %mine, align 4
  br label %end
end:
  call void @us.barrier(i32 1, i32 1)
  %next = lshr i32 %s, 1
  %more = icmp ugt i32 %next, 0
  br i1 %more, label %round, label %last
last:
  ret void
}

; Rounds follow each other without a barrier, and s has several values.
define spir_kernel void @no_barrier() {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  br label %round
round:
  %s = phi i32 [ 128, %0 ], [ %next, %end ]
  %works = icmp ult i32 %lid, %s
  br i1 %works, label %work, label %end
work:
  %far = add i32 %lid, %s
  %from = zext i32 %far to i64
  %other = getelementptr i32, ptr addrspace(3) @tile, i64 %from
  %x = load i32, ptr addrspace(3) %other, align 4
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 %x, ptr addrspace(3) %mine, align 4
  br label %end
end:
  %next = lshr i32 %s, 1
  %more = icmp ugt i32 %next, 0
  br i1 %more, label %round, label %last
last:
  ret void
}

; The barrier is for global memory.
define spir_kernel void @global_barrier() {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  br label %round
round:
  %s = phi i32 [ 128, %0 ], [ %next, %end ]
  %works = icmp ult i32 %lid, %s
  br i1 %works, label %work, label %end
work:
  %far = add i32 %lid, %s
  %from = zext i32 %far to i64
  %other = getelementptr i32, ptr addrspace(3) @tile, i64 %from
  %x = load i32, ptr addrspace(3) %other, align 4
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 %x, ptr addrspace(3) %mine, align 4
  br label %end
end:
  call void @us.barrier(i32 2, i32 1)
  %next = lshr i32 %s, 1
  %more = icmp ugt i32 %next, 0
  br i1 %more, label %round, label %last
last:
  ret void
}

; Compared is something else.
define spir_kernel void @not_the_id() {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  %third = udiv i32 %lid, 3
  br label %round
round:
  %s = phi i32 [ 128, %0 ], [ %next, %end ]
  %works = icmp ult i32 %third, %s
  br i1 %works, label %work, label %end
work:
  %far = add i32 %lid, %s
  %from = zext i32 %far to i64
  %other = getelementptr i32, ptr addrspace(3) @tile, i64 %from
  %x = load i32, ptr addrspace(3) %other, align 4
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 %x, ptr addrspace(3) %mine, align 4
  br label %end
end:
  call void @us.barrier(i32 1, i32 1)
  %next = lshr i32 %s, 1
  %more = icmp ugt i32 %next, 0
  br i1 %more, label %round, label %last
last:
  ret void
}

; Who is not below s.
define spir_kernel void @other_half() {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  br label %round
round:
  %s = phi i32 [ 128, %0 ], [ %next, %end ]
  %works = icmp uge i32 %lid, %s
  br i1 %works, label %work, label %end
work:
  %far = add i32 %lid, %s
  %from = zext i32 %far to i64
  %other = getelementptr i32, ptr addrspace(3) @tile, i64 %from
  %x = load i32, ptr addrspace(3) %other, align 4
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 %x, ptr addrspace(3) %mine, align 4
  br label %end
end:
  call void @us.barrier(i32 1, i32 1)
  %next = lshr i32 %s, 1
  %more = icmp ugt i32 %next, 0
  br i1 %more, label %round, label %last
last:
  ret void
}

; With s = -1 all are below it, without sign: work-item 1 reads what work-item 0 writes.
define spir_kernel void @below_zero(i32 %n) {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  br label %round
round:
  %s = phi i32 [ %n, %0 ], [ %next, %end ]
  %works = icmp ult i32 %lid, %s
  br i1 %works, label %work, label %end
work:
  %far = add i32 %lid, %s
  %from = sext i32 %far to i64
  %other = getelementptr i32, ptr addrspace(3) @tile, i64 %from
  %x = load i32, ptr addrspace(3) %other, align 4
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 %x, ptr addrspace(3) %mine, align 4
  br label %end
end:
  call void @us.barrier(i32 1, i32 1)
  %next = ashr i32 %s, 1
  %more = icmp ugt i32 %next, 0
  br i1 %more, label %round, label %last
last:
  ret void
}

; Each has a stride of its own.
define spir_kernel void @own_stride() {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  br label %round
round:
  %s = phi i32 [ %lid, %0 ], [ %next, %end ]
  %works = icmp ult i32 %lid, %s
  br i1 %works, label %work, label %end
work:
  %far = add i32 %lid, %s
  %from = zext i32 %far to i64
  %other = getelementptr i32, ptr addrspace(3) @tile, i64 %from
  %x = load i32, ptr addrspace(3) %other, align 4
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 %x, ptr addrspace(3) %mine, align 4
  br label %end
end:
  call void @us.barrier(i32 1, i32 1)
  %next = lshr i32 %s, 1
  %more = icmp ugt i32 %next, 0
  br i1 %more, label %round, label %last
last:
  ret void
}

; Rows of work-items write the same places, but none that is read.
define spir_kernel void @two_dimensions() {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  br label %round
round:
  %s = phi i32 [ 128, %0 ], [ %next, %end ]
  %works = icmp ult i32 %lid, %s
  br i1 %works, label %work, label %end
work:
  %far = add i32 %lid, %s
  %from = zext i32 %far to i64
  %other = getelementptr i32, ptr addrspace(3) @tile, i64 %from
  %x = load i32, ptr addrspace(3) %other, align 4
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 %x, ptr addrspace(3) %mine, align 4
  br label %end
end:
  call void @us.barrier(i32 1, i32 1)
  %next = lshr i32 %s, 1
  %more = icmp ugt i32 %next, 0
  br i1 %more, label %round, label %last
last:
  ret void
}

; What is read has the old stride, what is written is guarded by the new one.
define spir_kernel void @updated() {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  br label %round
round:
  %s = phi i32 [ 128, %0 ], [ %next, %end ]
  %far = add i32 %lid, %s
  %from = zext i32 %far to i64
  %other = getelementptr i32, ptr addrspace(3) @tile, i64 %from
  %x = load i32, ptr addrspace(3) %other, align 4
  %twice = shl i32 %s, 1
  %works = icmp ult i32 %lid, %twice
  br i1 %works, label %work, label %end
work:
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 %x, ptr addrspace(3) %mine, align 4
  br label %end
end:
  call void @us.barrier(i32 1, i32 1)
  %next = lshr i32 %s, 1
  %more = icmp ugt i32 %next, 0
  br i1 %more, label %round, label %last
last:
  ret void
}

; Behind the barrier the old stride is used before there is a new one.
define spir_kernel void @behind_the_barrier() {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  br label %round
round:
  %s = phi i32 [ 128, %0 ], [ %next, %read ]
  %works = icmp ult i32 %lid, %s
  br i1 %works, label %work, label %wait
work:
  store i32 1, ptr addrspace(3) %mine, align 4
  br label %wait
wait:
  call void @us.barrier(i32 1, i32 1)
  br i1 %works, label %half, label %read
half:
  %far = add i32 %lid, %s
  %from = zext i32 %far to i64
  %other = getelementptr i32, ptr addrspace(3) @tile, i64 %from
  %x = load i32, ptr addrspace(3) %other, align 4
  br label %read
read:
  %next = add i32 %s, 8
  %more = icmp ult i32 %next, 256
  br i1 %more, label %round, label %last
last:
  ret void
}

; All leave the loop at the same time: who reads the sum does so when nobody adds any more. One of all is enough.
define spir_kernel void @result(ptr addrspace(3) %out) {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  br label %round
round:
  %s = phi i32 [ 128, %0 ], [ %next, %wait ]
  %ends = icmp eq i32 %s, 0
  br i1 %ends, label %last, label %go_on
go_on:
  %works = icmp ult i32 %lid, %s
  br i1 %works, label %work, label %wait
work:
  store i32 1, ptr addrspace(3) %mine, align 4
  br label %wait
wait:
  call void @us.barrier(i32 1, i32 1)
  %next = lshr i32 %s, 1
  br label %round
last:
  %x = load i32, ptr addrspace(3) @tile, align 4
  %first = icmp eq i32 %lid, 0
  br i1 %first, label %write, label %done
write:
  store i32 %x, ptr addrspace(3) getelementptr (i32, ptr addrspace(3) @tile, i64 400), align 4
  br label %done
done:
  ret void
}

; Some leave the loop before others.
define spir_kernel void @result_too_early() {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  br label %round
round:
  %s = phi i32 [ 128, %0 ], [ %next, %wait ]
  %ends = icmp ult i32 %s, %lid
  br i1 %ends, label %last, label %go_on
go_on:
  %works = icmp ult i32 %lid, %s
  br i1 %works, label %work, label %wait
work:
  store i32 1, ptr addrspace(3) %mine, align 4
  br label %wait
wait:
  call void @us.barrier(i32 1, i32 1)
  %next = lshr i32 %s, 1
  br label %round
last:
  %x = load i32, ptr addrspace(3) @tile, align 4
  ret void
}

; Both are behind the same branch, but some take the one way and some the other.
define spir_kernel void @everyone() {
  %id = call i64 @us.local_id(i32 0)
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  %small = icmp ult i64 %id, 7
  br i1 %small, label %work, label %last
work:
  store i32 1, ptr addrspace(3) %mine, align 4
  ret void
last:
  %x = load i32, ptr addrspace(3) @tile, align 4
  ret void
}

; A work-item begins the inner loop anew while the others go on in it: what it counts differs.
define spir_kernel void @one_ahead(i32 %n) {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  br label %outer
outer:
  %j = phi i32 [ 0, %0 ], [ %j.next, %outer.end ]
  br label %round
round:
  %s = phi i32 [ 128, %outer ], [ %next, %go_on ]
  %works = icmp ult i32 %lid, %s
  br i1 %works, label %work, label %wait
work:
  %far = add i32 %lid, %s
  %from = zext i32 %far to i64
  %other = getelementptr i32, ptr addrspace(3) @tile, i64 %from
  %x = load i32, ptr addrspace(3) %other, align 4
  store i32 %x, ptr addrspace(3) %mine, align 4
  br label %wait
wait:
  call void @us.barrier(i32 1, i32 1)
  %leaves = icmp eq i32 %lid, 3
  br i1 %leaves, label %outer.end, label %go_on
go_on:
  %next = lshr i32 %s, 1
  %more = icmp ugt i32 %next, 0
  br i1 %more, label %round, label %outer.end
outer.end:
  %j.next = add i32 %j, 1
  %again = icmp ult i32 %j.next, %n
  br i1 %again, label %outer, label %last
last:
  ret void
}

; One row is read, the other one is written, whichever it is.
define spir_kernel void @two_rows() {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  br label %round
round:
  %d = phi i32 [ 1, %0 ], [ %d.next, %end ]
  %w = phi i32 [ 0, %0 ], [ %other, %end ]
  %row = zext i32 %w to i64
  %from = getelementptr [256 x i32], ptr addrspace(3) @tile, i64 %row
  %works = icmp uge i32 %lid, %d
  br i1 %works, label %work, label %end
work:
  %before = sub i32 %lid, %d
  %at = zext i32 %before to i64
  %its = getelementptr i32, ptr addrspace(3) %from, i64 %at
  %x = load i32, ptr addrspace(3) %its, align 4
  br label %end
end:
  %y = phi i32 [ 0, %round ], [ %x, %work ]
  %other = sub i32 1, %w
  %row.next = zext i32 %other to i64
  %to = getelementptr [256 x i32], ptr addrspace(3) @tile, i64 %row.next
  %mine = getelementptr i32, ptr addrspace(3) %to, i64 %id
  store i32 %y, ptr addrspace(3) %mine, align 4
  call void @us.barrier(i32 1, i32 1)
  %d.next = mul i32 %d, 2
  %more = icmp ult i32 %d.next, 256
  br i1 %more, label %round, label %last
last:
  ret void
}

; With w = 1 they are one.
define spir_kernel void @two_rows_met() {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  br label %round
round:
  %d = phi i32 [ 1, %0 ], [ %d.next, %end ]
  %w = phi i32 [ 1, %0 ], [ %other, %end ]
  %row = zext i32 %w to i64
  %from = getelementptr [256 x i32], ptr addrspace(3) @tile, i64 %row
  %works = icmp uge i32 %lid, %d
  br i1 %works, label %work, label %end
work:
  %before = sub i32 %lid, %d
  %at = zext i32 %before to i64
  %its = getelementptr i32, ptr addrspace(3) %from, i64 %at
  %x = load i32, ptr addrspace(3) %its, align 4
  br label %end
end:
  %y = phi i32 [ 0, %round ], [ %x, %work ]
  %other = sub i32 2, %w
  %row.next = zext i32 %other to i64
  %to = getelementptr [256 x i32], ptr addrspace(3) @tile, i64 %row.next
  %mine = getelementptr i32, ptr addrspace(3) %to, i64 %id
  store i32 %y, ptr addrspace(3) %mine, align 4
  call void @us.barrier(i32 1, i32 1)
  %d.next = mul i32 %d, 2
  %more = icmp ult i32 %d.next, 256
  br i1 %more, label %round, label %last
last:
  ret void
}

; The rows are shorter than what the group touches.
define spir_kernel void @short_rows() {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  br label %round
round:
  %d = phi i32 [ 1, %0 ], [ %d.next, %end ]
  %w = phi i32 [ 0, %0 ], [ %other, %end ]
  %row = zext i32 %w to i64
  %from = getelementptr [255 x i32], ptr addrspace(3) @tile, i64 %row
  %works = icmp uge i32 %lid, %d
  br i1 %works, label %work, label %end
work:
  %before = sub i32 %lid, %d
  %at = zext i32 %before to i64
  %its = getelementptr i32, ptr addrspace(3) %from, i64 %at
  %x = load i32, ptr addrspace(3) %its, align 4
  br label %end
end:
  %y = phi i32 [ 0, %round ], [ %x, %work ]
  %other = sub i32 1, %w
  %row.next = zext i32 %other to i64
  %to = getelementptr [255 x i32], ptr addrspace(3) @tile, i64 %row.next
  %mine = getelementptr i32, ptr addrspace(3) %to, i64 %id
  store i32 %y, ptr addrspace(3) %mine, align 4
  call void @us.barrier(i32 1, i32 1)
  %d.next = mul i32 %d, 2
  %more = icmp ult i32 %d.next, 256
  br i1 %more, label %round, label %last
last:
  ret void
}

; Who is below d reads before its row.
define spir_kernel void @before_the_row() {
  %id = call i64 @us.local_id(i32 0)
  %lid = trunc i64 %id to i32
  br label %round
round:
  %d = phi i32 [ 1, %0 ], [ %d.next, %end ]
  %w = phi i32 [ 0, %0 ], [ %other, %end ]
  %row = zext i32 %w to i64
  %from = getelementptr [256 x i32], ptr addrspace(3) @tile, i64 %row
  %works = icmp ult i32 %d, 77
  br i1 %works, label %work, label %end
work:
  %before = sub i32 %lid, %d
  %at = zext i32 %before to i64
  %its = getelementptr i32, ptr addrspace(3) %from, i64 %at
  %x = load i32, ptr addrspace(3) %its, align 4
  br label %end
end:
  %y = phi i32 [ 0, %round ], [ %x, %work ]
  %other = sub i32 1, %w
  %row.next = zext i32 %other to i64
  %to = getelementptr [256 x i32], ptr addrspace(3) @tile, i64 %row.next
  %mine = getelementptr i32, ptr addrspace(3) %to, i64 %id
  store i32 %y, ptr addrspace(3) %mine, align 4
  call void @us.barrier(i32 1, i32 1)
  %d.next = mul i32 %d, 2
  %more = icmp ult i32 %d.next, 256
  br i1 %more, label %round, label %last
last:
  ret void
}

; What one work-item alone does it may do twice.
define spir_kernel void @one_writer() {
  %id = call i64 @us.local_id(i32 0)
  %one = icmp eq i64 %id, 7
  br i1 %one, label %work, label %last
work:
  store i32 1, ptr addrspace(3) @tile, align 4
  store i64 1, ptr addrspace(3) @tile, align 4
  br label %last
last:
  ret void
}

; There are several work-items with this id.
define spir_kernel void @one_writer_of_each_row() {
  %id = call i64 @us.local_id(i32 0)
  %one = icmp eq i64 %id, 7
  br i1 %one, label %work, label %last
work:
  store i32 1, ptr addrspace(3) @tile, align 4
  store i64 1, ptr addrspace(3) @tile, align 4
  br label %last
last:
  ret void
}

; Threads of PTX may wait together at two barriers, and what they do behind the one meets what they do behind the other.
define void @two_barriers() !us_language_target !0 {
  %id = call i64 @us.local_id(i32 0)
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  %first = getelementptr i32, ptr addrspace(3) @tile, i64 7
  %small = icmp ult i64 %id, 128
  br i1 %small, label %write, label %read
write:
  call void @us.barrier(i32 3, i32 1)
  store i32 1, ptr addrspace(3) %mine, align 4
  br label %last
read:
  call void @us.barrier(i32 3, i32 2)
  %x = load i32, ptr addrspace(3) %first, align 4
  br label %last
last:
  ret void
}

; Each work-item writes every eighth row, where there are eight rows of work-items.
define spir_kernel void @rows_apart() {
  %x = call i64 @us.local_id(i32 0)
  %y = call i64 @us.local_id(i32 1)
  br label %round
round:
  %j = phi i64 [ 0, %0 ], [ %next, %body ]
  %more = icmp slt i64 %j, 32
  br i1 %more, label %body, label %end
body:
  %line = add i64 %y, %j
  %row = getelementptr [32 x i32], ptr addrspace(3) @tile, i64 %line
  %mine = getelementptr i32, ptr addrspace(3) %row, i64 %x
  store i32 1, ptr addrspace(3) %mine, align 4
  %next = add nsw i64 %j, 8
  br label %round
end:
  ret void
}
!0 = !{!"sm_80"}
