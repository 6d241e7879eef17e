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
; RUN: us-opt -passes=check_memory -checks=memory -kernel=inner %s | FileCheck %s -check-prefix=INNER
; RUN: us-opt -passes=check_memory -checks=memory -kernel=clamped %s | FileCheck %s -check-prefix=CLAMPED
; RUN: us-opt -passes=check_memory -checks=memory -kernel=cut %s | FileCheck %s -check-prefix=CUT
; RUN: us-opt -passes=check_memory -checks=memory -kernel=read_byte %s | FileCheck %s -check-prefix=BYTE
; RUN: us-opt -passes=check_memory -checks=memory -kernel=unsigned_rest %s | FileCheck %s -check-prefix=REST
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
declare i64 @us.global_id(i32)
declare i64 @us.local_id(i32)
declare i64 @us.group_id(i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)

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
; What is compared keeps ids from both ends.
; INNER-LABEL: define spir_kernel void @inner(
; INNER:   call i64 @llvm.smax.i64(i64 %{{.*}}, i64 2)
; INNER:   call void @us.require(
; INNER-NOT: us.check_failed
; INNER:   ret void
define spir_kernel void @inner(ptr addrspace(1) align 4 %out, i32 %count) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %x = call i64 @us.global_id(i32 0)
  %index = trunc i64 %x to i32
  %before = icmp slt i32 %index, 2
  br i1 %before, label %end, label %more
more:
  %beyond = icmp sge i32 %index, %count
  br i1 %beyond, label %end, label %work
work:
  %less = sub i32 %index, 2
  %wide = sext i32 %less to i64
  %place = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  store i32 1, ptr addrspace(1) %place, align 4
  br label %end
end:
  ret void
}

; Whatever is clamped lies between the two ends.
; CLAMPED-LABEL: define spir_kernel void @clamped(
; CLAMPED:   call void @us.require(
; CLAMPED-NOT: us.check_failed
; CLAMPED:   ret void
define spir_kernel void @clamped(ptr addrspace(1) align 4 %out, i32 %count) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %x = call i64 @us.global_id(i32 0)
  %number = trunc i64 %x to i32
  %any = xor i32 %number, 12345
  %last = sub i32 %count, 1
  %least = call i32 @llvm.smax.i32(i32 %any, i32 0)
  %index = call i32 @llvm.smin.i32(i32 %least, i32 %last)
  %wide = sext i32 %index to i64
  %place = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  store i32 1, ptr addrspace(1) %place, align 4
  ret void
}

; So does what is left of a number.
; CUT-LABEL: define spir_kernel void @cut(
; CUT:   call void @us.require(
; CUT-NOT: us.check_failed
; CUT:   ret void
define spir_kernel void @cut(ptr addrspace(1) align 4 %out, i32 %count) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %x = call i64 @us.global_id(i32 0)
  %any = xor i64 %x, 12345
  %index = and i64 %any, 255
  %place = getelementptr i32, ptr addrspace(1) %out, i64 %index
  store i32 1, ptr addrspace(1) %place, align 4
  ret void
}

; Of a byte that was read nobody says that all its numbers come: the table may be shorter.
; BYTE-LABEL: define spir_kernel void @read_byte(
; BYTE:   call void @us.check_failed(
; BYTE:   call void @us.check_failed(
define spir_kernel void @read_byte(ptr addrspace(1) align 4 %out, ptr addrspace(1) %bytes) !kernel_arg_addr_space !3 !kernel_arg_base_type !4 !kernel_arg_type_qual !2 {
  %first = load i8, ptr addrspace(1) %bytes
  %own = getelementptr i8, ptr addrspace(1) %bytes, i8 %first
  %byte = load i8, ptr addrspace(1) %own
  %index = zext i8 %byte to i64
  %place = getelementptr i32, ptr addrspace(1) %out, i64 %index
  store i32 1, ptr addrspace(1) %place, align 4
  ret void
}

; What a division with sign leaves may be below 0, and without sign it is far away.
; REST-LABEL: define spir_kernel void @unsigned_rest(
; REST:   call void @us.check_failed(
define spir_kernel void @unsigned_rest(ptr addrspace(1) align 4 %out, i32 %count) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
  %x = call i64 @us.global_id(i32 0)
  %number = trunc i64 %x to i32
  %any = xor i32 %number, -12345
  %rest = srem i32 %any, 16
  %index = zext i32 %rest to i64
  %begin = getelementptr i32, ptr addrspace(1) %out, i64 16
  %place = getelementptr i32, ptr addrspace(1) %begin, i64 %index
  store i32 1, ptr addrspace(1) %place, align 4
  ret void
}
!0 = !{i32 1, i32 0}
!1 = !{!"int*", !"int"}
!2 = !{!"", !""}
!3 = !{i32 1, i32 1}
!4 = !{!"int*", !"uchar*"}
