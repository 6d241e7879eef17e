; A loop with a bound of its own for each work-item, one in a branch that only some take, and one whose accesses are far
; apart stay inside the work-item loops; so does one that carries many values, if work-items may be put side by side.
; RUN: us-opt -passes=interchange_uniform_loops -kernel=divergent -local-size=64 %s | FileCheck %s
; RUN: us-opt -passes=interchange_uniform_loops -kernel=some -local-size=64 %s | FileCheck %s
; RUN: us-opt -passes=interchange_uniform_loops -kernel=strided -local-size=64 %s | FileCheck %s
; RUN: us-opt -passes=interchange_uniform_loops -kernel=carries_much -local-size=64 %s | FileCheck %s
; RUN: us-opt -passes=interchange_uniform_loops -kernel=carries_much -local-size=64 -vector-plan=2 %s | FileCheck %s --check-prefix=SCALAR
; CHECK-NOT: us.boundary
; SCALAR: call void @us.boundary

declare i64 @us.global_id(i32)

define void @divergent(ptr addrspace(1) %out) {
entry:
  %id = call i64 @us.global_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %out, i64 %id
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j1, %loop ]
  store i64 %j, ptr addrspace(1) %p
  %j1 = add i64 %j, 1
  %more = icmp ult i64 %j1, %id
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @some(ptr addrspace(1) %out, i64 %n) {
entry:
  %id = call i64 @us.global_id(i32 0)
  %p = getelementptr i64, ptr addrspace(1) %out, i64 %id
  %c = icmp ugt i64 %id, 5
  br i1 %c, label %before, label %end
before:
  br label %loop
loop:
  %j = phi i64 [ 0, %before ], [ %j1, %loop ]
  store i64 %j, ptr addrspace(1) %p
  %j1 = add i64 %j, 1
  %more = icmp ult i64 %j1, %n
  br i1 %more, label %loop, label %done
done:
  br label %end
end:
  ret void
}

define void @strided(ptr addrspace(1) %out, i64 %n) {
entry:
  %id = call i64 @us.global_id(i32 0)
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j1, %loop ]
  %row = mul i64 %id, 1000
  %at = add i64 %row, %j
  %p = getelementptr i64, ptr addrspace(1) %out, i64 %at
  store i64 %j, ptr addrspace(1) %p
  %j1 = add i64 %j, 1
  %more = icmp ult i64 %j1, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

define void @carries_much(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %id = call i64 @us.global_id(i32 0)
  %from = getelementptr float, ptr addrspace(1) %in, i64 %id
  %to = getelementptr float, ptr addrspace(1) %out, i64 %id
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j1, %loop ]
  %a0 = phi float [ 0.0, %entry ], [ %b0, %loop ]
  %a1 = phi float [ 0.0, %entry ], [ %b1, %loop ]
  %a2 = phi float [ 0.0, %entry ], [ %b2, %loop ]
  %a3 = phi float [ 0.0, %entry ], [ %b3, %loop ]
  %a4 = phi float [ 0.0, %entry ], [ %b4, %loop ]
  %a5 = phi float [ 0.0, %entry ], [ %b5, %loop ]
  %a6 = phi float [ 0.0, %entry ], [ %b6, %loop ]
  %a7 = phi float [ 0.0, %entry ], [ %b7, %loop ]
  %x = load float, ptr addrspace(1) %from
  %b0 = fadd float %a0, %x
  %b1 = fadd float %a1, %x
  %b2 = fadd float %a2, %x
  %b3 = fadd float %a3, %x
  %b4 = fadd float %a4, %x
  %b5 = fadd float %a5, %x
  %b6 = fadd float %a6, %x
  %b7 = fadd float %a7, %x
  %j1 = add i64 %j, 1
  %more = icmp ult i64 %j1, %n
  br i1 %more, label %loop, label %end
end:
  %s1 = fadd float %b0, %b1
  %s2 = fadd float %s1, %b2
  %s3 = fadd float %s2, %b3
  %s4 = fadd float %s3, %b4
  %s5 = fadd float %s4, %b5
  %s6 = fadd float %s5, %b6
  %s7 = fadd float %s6, %b7
  store float %s7, ptr addrspace(1) %to
  ret void
}
