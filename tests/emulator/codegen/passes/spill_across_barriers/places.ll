; A place in private memory is computed again behind a barrier; what is kept is its index. Of memory whose address lies in
; other memory nobody would know who accesses it.
; RUN: us-opt -passes=split_at_barriers,spill_across_barriers -kernel=k %s | FileCheck %s

declare void @us.barrier(i32, i32)
declare i64 @us.local_id(i32)

; CHECK-LABEL: @k
define void @k(ptr %in, ptr %out) {
  ; CHECK: [[SLOT:%.*]] = alloca i64, align 8, !us.slot
  ; CHECK-NOT: store ptr
  %inside = alloca [4 x i32]
  %id = call i64 @us.local_id(i32 0)
  %from = getelementptr i64, ptr %in, i64 %id
  %index = load i64, ptr %from
  %place = getelementptr i32, ptr %inside, i64 %index
  %second = getelementptr i32, ptr %inside, i64 1
  br label %waits
waits:
  ; CHECK: call void @us.barrier
  call void @us.barrier(i32 1, i32 1)
  ; CHECK: [[INDEX:%.*]] = load i64, ptr [[SLOT]]
  ; CHECK-DAG: [[PLACE:%.*]] = getelementptr i32, ptr %inside, i64 [[INDEX]]
  ; CHECK-DAG: [[SECOND:%.*]] = getelementptr i32, ptr %inside, i64 1
  ; CHECK: store i32 2, ptr [[SECOND]]
  ; CHECK: load i32, ptr [[PLACE]]
  store i32 2, ptr %second
  %x = load i32, ptr %place
  %to = getelementptr i32, ptr %out, i64 %id
  store i32 %x, ptr %to
  ret void
}
