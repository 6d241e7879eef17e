; A loop that goes over a private array by a known number of turns is taken apart, if that makes values of the array; one
; over an array that is indexed by what is read stays, and so does one that has a barrier in it.
; RUN: us-opt -passes=unroll_over_arrays,split_memory -kernel=k -tier=loop %s | FileCheck %s

declare void @us.barrier(i32, i32)

; CHECK-LABEL: @k
define void @k(ptr %in, ptr %out) {
entry:
  ; CHECK-NOT: alloca [4 x float]
  ; CHECK: alloca [8 x i32]
  ; CHECK: alloca [2 x i32]
  ; CHECK-NOT: alloca
  %sums = alloca [4 x float]
  %chosen = alloca [8 x i32]
  %waiting = alloca [2 x i32]
  br label %over
over:
  ; CHECK: load float
  ; CHECK: load float
  ; CHECK: load float
  ; CHECK: load float
  %i = phi i64 [ 0, %entry ], [ %i.next, %over ]
  %from = getelementptr float, ptr %in, i64 %i
  %x = load float, ptr %from
  %sum = getelementptr float, ptr %sums, i64 %i
  store float %x, ptr %sum
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp ult i64 %i.next, 4
  br i1 %i.more, label %over, label %choose
choose:
  ; CHECK: choose:
  ; CHECK: br i1 %j.more, label %choose
  %j = phi i64 [ 0, %over ], [ %j.next, %choose ]
  %which = load i64, ptr %in
  %one = getelementptr i32, ptr %chosen, i64 %which
  store i32 1, ptr %one
  %other = getelementptr i32, ptr %chosen, i64 %j
  store i32 2, ptr %other
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp ult i64 %j.next, 8
  br i1 %j.more, label %choose, label %wait
wait:
  ; CHECK: wait:
  ; CHECK: br i1 %k.more, label %wait
  %k = phi i64 [ 0, %choose ], [ %k.next, %wait ]
  %at = getelementptr i32, ptr %waiting, i64 %k
  store i32 1, ptr %at
  call void @us.barrier(i32 1, i32 1)
  %k.next = add nuw nsw i64 %k, 1
  %k.more = icmp ult i64 %k.next, 2
  br i1 %k.more, label %wait, label %end
end:
  %third = getelementptr float, ptr %sums, i64 2
  %y = load float, ptr %third
  store float %y, ptr %out
  %second = getelementptr i32, ptr %waiting, i64 1
  %z = load i32, ptr %second
  store i32 %z, ptr %in
  %fifth = getelementptr i32, ptr %chosen, i64 4
  %w = load i32, ptr %fifth
  store i32 %w, ptr %in
  ret void
}
