; Only the loop that has a barrier and many turns is kept from being unrolled.
; RUN: us-opt -passes=keep_barrier_loops -kernel=k %s | FileCheck %s

declare void @us.barrier(i32, i32)

; CHECK-LABEL: @k
define void @k(ptr %p) {
entry:
  br label %many
many:
  %i = phi i32 [ 0, %entry ], [ %i1, %many ]
  call void @us.barrier(i32 1, i32 1)
  %i1 = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i1, 100
  ; CHECK: br i1 %c, label %many, label %{{.*}}, !llvm.loop [[KEPT:![0-9]+]]
  br i1 %c, label %many, label %between
between:
  br label %few
few:
  %j = phi i32 [ 0, %between ], [ %j1, %few ]
  call void @us.barrier(i32 1, i32 1)
  %j1 = add nuw nsw i32 %j, 1
  %d = icmp ult i32 %j1, 3
  ; CHECK: br i1 %d, label %few, label %{{[a-z.]*$}}
  br i1 %d, label %few, label %end
end:
  ret void
}
; CHECK: [[KEPT]] = distinct !{[[KEPT]], [[DISABLE:![0-9]+]]}
; CHECK: [[DISABLE]] = !{!"llvm.loop.unroll.disable", i32 1}
