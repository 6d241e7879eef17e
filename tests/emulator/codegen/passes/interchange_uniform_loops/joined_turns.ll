; Four turns are done as one, and the sum goes through its slot once in them; what is left of the turns goes round a loop
; of its own.
; RUN: us-opt -passes=interchange_uniform_loops -kernel=k -local-size=64 %s | FileCheck %s

declare i64 @us.global_id(i32)

; CHECK-LABEL: @k
; CHECK: loop:
; CHECK: call void @us.boundary()
; CHECK-NEXT: load float, ptr %sum.slot
; CHECK-COUNT-4: fadd float
; CHECK-NEXT: store float {{.*}}, ptr %sum.slot
; CHECK-NEXT: call void @us.boundary()
; CHECK: loop.epil:
; CHECK: call void @us.boundary()
; CHECK-NEXT: load float, ptr
; CHECK-COUNT-1: fadd float
; CHECK-NEXT: store float
; CHECK-NEXT: call void @us.boundary()
define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %id = call i64 @us.global_id(i32 0)
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum1, %loop ]
  %at = add i64 %j, %id
  %p = getelementptr float, ptr addrspace(1) %in, i64 %at
  %x = load float, ptr addrspace(1) %p
  %sum1 = fadd float %sum, %x
  %j1 = add i64 %j, 1
  %more = icmp ult i64 %j1, %n
  br i1 %more, label %loop, label %end
end:
  %total = phi float [ %sum1, %loop ]
  %q = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %total, ptr addrspace(1) %q
  ret void
}
