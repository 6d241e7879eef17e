; An array that is read behind the barrier is marked; one whose life ends before it is not.
; RUN: us-opt -passes=split_at_barriers,spill_across_barriers -kernel=k %s | FileCheck %s

declare void @us.barrier(i32, i32)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)

; CHECK-LABEL: @k
define i32 @k(i64 %i, i64 %j) {
  ; CHECK: %across = alloca [4 x i32], align 4, !us.slot
  %across = alloca [4 x i32]
  ; CHECK: %inside = alloca [4 x i32], align 4{{$}}
  %inside = alloca [4 x i32]
  %a = getelementptr i32, ptr %across, i64 %i
  store i32 1, ptr %a
  br label %loop
loop:
  call void @llvm.lifetime.start.p0(i64 16, ptr %inside)
  %b = getelementptr i32, ptr %inside, i64 %i
  store i32 2, ptr %b
  %c = load i32, ptr %b
  call void @llvm.lifetime.end.p0(i64 16, ptr %inside)
  call void @us.barrier(i32 1, i32 1)
  %again = icmp eq i64 %i, %j
  br i1 %again, label %loop, label %end
end:
  %d = getelementptr i32, ptr %across, i64 %j
  %r = load i32, ptr %d
  ret i32 %r
}
