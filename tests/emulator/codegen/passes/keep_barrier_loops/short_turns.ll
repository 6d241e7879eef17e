; Eight turns of a sum in a tree are short enough for copies; of a longer turn there are none.
; RUN: us-opt -passes=keep_barrier_loops -kernel=k %s | FileCheck %s

declare void @us.barrier(i32, i32)

; CHECK-LABEL: @k
define void @k(ptr addrspace(3) %t, i32 %l) {
entry:
  br label %halves
halves:
  %d = phi i32 [ 128, %entry ], [ %half, %end.of.turn ]
  %adds = icmp ult i32 %l, %d
  br i1 %adds, label %add, label %end.of.turn
add:
  %at = add i32 %l, %d
  %from = getelementptr i32, ptr addrspace(3) %t, i32 %at
  %x = load i32, ptr addrspace(3) %from
  %to = getelementptr i32, ptr addrspace(3) %t, i32 %l
  %y = load i32, ptr addrspace(3) %to
  %sum = add i32 %x, %y
  store i32 %sum, ptr addrspace(3) %to
  br label %end.of.turn
end.of.turn:
  call void @us.barrier(i32 1, i32 1)
  %half = lshr i32 %d, 1
  %last = icmp eq i32 %half, 0
  ; CHECK: br i1 %last, label %between, label %{{[a-z.]*$}}
  br i1 %last, label %between, label %halves
between:
  br label %two
two:
  %i = phi i32 [ 0, %between ], [ %i1, %two ]
  call void @us.barrier(i32 1, i32 1)
  store i32 %i, ptr addrspace(3) %t
  call void @us.barrier(i32 1, i32 1)
  %i1 = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i1, 8
  ; CHECK: br i1 %more, label %two, label %end, !llvm.loop
  br i1 %more, label %two, label %end
end:
  ret void
}
