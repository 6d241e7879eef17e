; A constant table that only some work-items read keeps no loop from being turned; one that all read does.
; RUN: us-opt -passes=interchange_uniform_loops -kernel=k -local-size=64 %s | FileCheck %s
; RUN: us-opt -passes=interchange_uniform_loops -kernel=all -local-size=64 %s | FileCheck %s --check-prefix=ALL

declare i64 @us.global_id(i32)
@table = internal addrspace(2) constant [256 x double] zeroinitializer

; CHECK-LABEL: @k
define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %id = call i64 @us.global_id(i32 0)
  br label %loop
loop:
  ; CHECK: loop:
  ; CHECK: call void @us.boundary()
  %j = phi i64 [ 0, %entry ], [ %j1, %joined ]
  %sum = phi double [ 0.0, %entry ], [ %sum1, %joined ]
  %at = add i64 %j, %id
  %p = getelementptr double, ptr addrspace(1) %in, i64 %at
  %x = load double, ptr addrspace(1) %p
  %rare = fcmp ogt double %x, 1.0e9
  br i1 %rare, label %far, label %joined
far:
  %bits = bitcast double %x to i64
  %entry.of = and i64 %bits, 255
  %t = getelementptr [256 x double], ptr addrspace(2) @table, i64 0, i64 %entry.of
  %y = load double, ptr addrspace(2) %t
  br label %joined
joined:
  %z = phi double [ %x, %loop ], [ %y, %far ]
  %sum1 = fadd double %sum, %z
  %j1 = add i64 %j, 1
  %more = icmp ult i64 %j1, %n
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr double, ptr addrspace(1) %out, i64 %id
  store double %sum1, ptr addrspace(1) %q
  ret void
}

; ALL-LABEL: @all
; ALL-NOT: @us.boundary
define void @all(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
entry:
  %id = call i64 @us.global_id(i32 0)
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j1, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum1, %loop ]
  %at = add i64 %j, %id
  %p = getelementptr double, ptr addrspace(1) %in, i64 %at
  %x = load double, ptr addrspace(1) %p
  %bits = bitcast double %x to i64
  %entry.of = and i64 %bits, 255
  %t = getelementptr [256 x double], ptr addrspace(2) @table, i64 0, i64 %entry.of
  %y = load double, ptr addrspace(2) %t
  %sum1 = fadd double %sum, %y
  %j1 = add i64 %j, 1
  %more = icmp ult i64 %j1, %n
  br i1 %more, label %loop, label %end
end:
  %q = getelementptr double, ptr addrspace(1) %out, i64 %id
  store double %sum1, ptr addrspace(1) %q
  ret void
}
