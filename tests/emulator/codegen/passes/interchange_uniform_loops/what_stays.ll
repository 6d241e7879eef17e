; A loop with a bound of its own for each work-item, one in a branch that only some take, and one whose accesses are far
; apart stay inside the work-item loops.
; RUN: us-opt -passes=interchange_uniform_loops -kernel=divergent -local-size=64 %s | FileCheck %s
; RUN: us-opt -passes=interchange_uniform_loops -kernel=some -local-size=64 %s | FileCheck %s
; RUN: us-opt -passes=interchange_uniform_loops -kernel=strided -local-size=64 %s | FileCheck %s
; CHECK-NOT: us.boundary

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
