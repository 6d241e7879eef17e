; A kernel is marked if all that it writes outside local and private memory is at places that no two work-items share:
; sums in which each number that it asks for is there, times what all share.
; RUN: us-opt -passes=mark_own_places -kernel=rows %s | FileCheck %s --check-prefix=OWN
; RUN: us-opt -passes=mark_own_places -kernel=groups %s | FileCheck %s --check-prefix=OWN
; RUN: us-opt -passes=mark_own_places -kernel=local %s | FileCheck %s --check-prefix=OWN
; RUN: us-opt -passes=mark_own_places -kernel=columns %s | FileCheck %s --check-prefix=SHARED
; RUN: us-opt -passes=mark_own_places -kernel=folded %s | FileCheck %s --check-prefix=SHARED
; RUN: us-opt -passes=mark_own_places -kernel=neighbors %s | FileCheck %s --check-prefix=SHARED
; RUN: us-opt -passes=mark_own_places -kernel=within %s | FileCheck %s --check-prefix=SHARED
; RUN: us-opt -passes=mark_own_places -kernel=scattered %s | FileCheck %s --check-prefix=SHARED
; RUN: us-opt -passes=mark_own_places -kernel=atomic %s | FileCheck %s --check-prefix=SHARED
; RUN: us-opt -passes=mark_own_places -kernel=called %s | FileCheck %s --check-prefix=SHARED

; OWN: "us_own_places"
; SHARED-NOT: "us_own_places"

declare i64 @us.global_id(i32) memory(none)
declare i64 @us.group_id(i32) memory(none)
declare i64 @us.local_id(i32) memory(none)
declare i64 @us.global_size(i32) memory(none)
declare void @other(ptr addrspace(1))

define void @rows(ptr addrspace(1) %p, i64 %n, i32 %v) {
  %x = call i64 @us.global_id(i32 0)
  %y = call i64 @us.global_id(i32 1)
  %row = mul i64 %y, %n
  %i = add i64 %row, %x
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 %v, ptr addrspace(1) %at
  ret void
}

define void @groups(ptr addrspace(1) %p, i32 %v) {
  %group = call i64 @us.group_id(i32 0)
  %x = call i64 @us.local_id(i32 0)
  %begin = shl i64 %group, 6
  %i = or disjoint i64 %begin, %x
  %short = trunc i64 %i to i32
  %long = zext i32 %short to i64
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %long
  store i32 %v, ptr addrspace(1) %at
  ret void
}

; Local memory is written where it likes.
define void @local(ptr addrspace(1) %p, ptr addrspace(3) %t, i32 %v) {
  %x = call i64 @us.global_id(i32 0)
  store i32 %v, ptr addrspace(3) %t
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %x
  store i32 %v, ptr addrspace(1) %at
  ret void
}

; All rows write the same places.
define void @columns(ptr addrspace(1) %p, i32 %v) {
  %x = call i64 @us.global_id(i32 0)
  %y = call i64 @us.global_id(i32 1)
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %row = trunc i64 %y to i32
  store i32 %row, ptr addrspace(1) %at
  ret void
}

define void @folded(ptr addrspace(1) %p, i32 %v) {
  %x = call i64 @us.global_id(i32 0)
  %i = and i64 %x, 63
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 %v, ptr addrspace(1) %at
  ret void
}

define void @neighbors(ptr addrspace(1) %p, i32 %v) {
  %x = call i64 @us.global_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %x
  %next = getelementptr i32, ptr addrspace(1) %at, i64 1
  store i32 %v, ptr addrspace(1) %at
  store i32 %v, ptr addrspace(1) %next
  ret void
}

; Each group writes the same places.
define void @within(ptr addrspace(1) %p, i32 %v) {
  %x = call i64 @us.local_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %x
  store i32 %v, ptr addrspace(1) %at
  ret void
}

define void @scattered(ptr addrspace(1) %p, ptr addrspace(1) %to, i32 %v) {
  %x = call i64 @us.global_id(i32 0)
  %from = getelementptr i64, ptr addrspace(1) %to, i64 %x
  %i = load i64, ptr addrspace(1) %from
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  store i32 %v, ptr addrspace(1) %at
  ret void
}

define void @atomic(ptr addrspace(1) %p, i32 %v) {
  %x = call i64 @us.global_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %x
  store i32 %v, ptr addrspace(1) %at
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  ret void
}

define void @called(ptr addrspace(1) %p, i32 %v) {
  %x = call i64 @us.global_id(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %x
  store i32 %v, ptr addrspace(1) %at
  call void @other(ptr addrspace(1) %p)
  ret void
}
