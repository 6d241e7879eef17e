; A sum goes to its slot before the barrier behind it, and comes from there behind the barrier before it: nothing of it
; lives across a barrier in another place.
; RUN: us-opt -passes=split_at_barriers,interchange_uniform_loops -kernel=k -local-size=64 %s | FileCheck %s

declare i64 @us.local_id(i32)
declare void @us.barrier(i32, i32)

; CHECK-LABEL: @k
define void @k(ptr addrspace(3) %tile, ptr addrspace(1) %out, i64 %n) {
entry:
  %id = call i64 @us.local_id(i32 0)
  %p = getelementptr float, ptr addrspace(3) %tile, i64 %id
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum1, %loop ]
  ; CHECK: store float 1.0{{.*}}, ptr addrspace(3) %p
  store float 1.0, ptr addrspace(3) %p
  ; CHECK: call void @us.barrier
  ; CHECK: after.barrier:
  ; CHECK-NEXT: [[SUM:%.*]] = load float, ptr %sum.slot
  call void @us.barrier(i32 1, i32 1)
  %x = load float, ptr addrspace(3) %p
  ; CHECK: %sum1 = fadd float [[SUM]], %x
  ; CHECK-NEXT: store float %sum1, ptr %sum.slot
  ; CHECK-NEXT: br
  ; CHECK: call void @us.barrier
  ; CHECK-NOT: %sum.slot
  ; CHECK: call void @us.boundary
  %sum1 = fadd float %sum, %x
  call void @us.barrier(i32 1, i32 1)
  %j1 = add i64 %j, 1
  %more = icmp ult i64 %j1, %n
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %sum1, ptr addrspace(1) %q
  ret void
}
