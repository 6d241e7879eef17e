; Work-items that come to the same memory in each turn of the outer loop, or in the few turns of one, go round it as a
; vector.
; RUN: us-opt -passes=interchange_uniform_loops -kernel=same -local-size=64 %s | FileCheck %s
; RUN: us-opt -passes=interchange_uniform_loops -kernel=few -local-size=64 %s | FileCheck %s
; CHECK-NOT: call void @us.boundary

declare i64 @us.global_id(i32)

define void @same(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n, i64 %m) {
entry:
  %id = call i64 @us.global_id(i32 0)
  br label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %j1, %outer.end ]
  %sums = phi float [ 0.0, %entry ], [ %sum.end, %outer.end ]
  br label %loop
loop:
  %k = phi i64 [ 0, %outer ], [ %k1, %loop ]
  %sum = phi float [ %sums, %outer ], [ %sum1, %loop ]
  %row = mul i64 %k, %m
  %at = add i64 %row, %id
  %p = getelementptr float, ptr addrspace(1) %in, i64 %at
  %x = load float, ptr addrspace(1) %p
  %sum1 = fadd float %sum, %x
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, %n
  br i1 %more, label %loop, label %outer.end
outer.end:
  %sum.end = phi float [ %sum1, %loop ]
  %j1 = add i64 %j, 1
  %again = icmp ult i64 %j1, %n
  br i1 %again, label %outer, label %end
end:
  %total = phi float [ %sum.end, %outer.end ]
  %q = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %total, ptr addrspace(1) %q
  ret void
}

define void @few(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %m) {
entry:
  %id = call i64 @us.global_id(i32 0)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %k1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum1, %loop ]
  %row = mul i64 %k, %m
  %at = add i64 %row, %id
  %p = getelementptr float, ptr addrspace(1) %in, i64 %at
  %x = load float, ptr addrspace(1) %p
  %sum1 = fadd float %sum, %x
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, 16
  br i1 %more, label %loop, label %end
end:
  %total = phi float [ %sum1, %loop ]
  %q = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %total, ptr addrspace(1) %q
  ret void
}
