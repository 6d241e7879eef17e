; The sum that each work-item carries goes to a slot, written where the body ends; the counter stays a phi. The loop's
; control lies between two boundaries. How many turns there are is not known.
; RUN: us-opt -passes=interchange_uniform_loops -kernel=k -local-size=64 %s | FileCheck %s

declare i64 @us.global_id(i32)

; CHECK-LABEL: @k
define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  ; CHECK: %sum.slot = alloca float
  %id = call i64 @us.global_id(i32 0)
  ; CHECK: store float 0.0{{.*}}, ptr %sum.slot
  br label %loop
loop:
  ; CHECK: loop:
  ; CHECK-NEXT: %j = phi i64
  ; CHECK-NEXT: call void @us.boundary()
  ; CHECK-NEXT: [[SUM:%.*]] = load float, ptr %sum.slot
  %j = phi i64 [ %n, %entry ], [ %j1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum1, %loop ]
  %at = add i64 %j, %id
  %p = getelementptr float, ptr addrspace(1) %in, i64 %at
  %x = load float, ptr addrspace(1) %p
  ; CHECK: %sum1 = fadd float [[SUM]], %x
  %sum1 = fadd float %sum, %x
  ; CHECK-NEXT: store float %sum1, ptr %sum.slot
  ; CHECK-NEXT: call void @us.boundary()
  ; CHECK-NEXT: %j1 = mul
  %j1 = mul i64 %j, 5
  %more = icmp ugt i64 %j1, 9
  br i1 %more, label %loop, label %end
end:
  ; CHECK: end:
  ; CHECK-NEXT: call void @us.boundary()
  ; CHECK-NEXT: [[TOTAL:%.*]] = load float, ptr %sum.slot
  %total = phi float [ %sum1, %loop ]
  %q = getelementptr float, ptr addrspace(1) %out, i64 %id
  ; CHECK: store float [[TOTAL]]
  store float %total, ptr addrspace(1) %q
  ret void
}
