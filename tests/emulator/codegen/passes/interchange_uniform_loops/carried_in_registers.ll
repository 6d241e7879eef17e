; Four sums over a tile in local memory: they are kept in registers, and the loop stays in the work-item loops.
; RUN: us-opt -passes=interchange_uniform_loops -kernel=k -local-size=64 -target=avx512 %s | FileCheck %s

declare i64 @us.local_id(i32)

; CHECK-LABEL: @k
; CHECK-NOT: us.boundary
define void @k(ptr addrspace(3) %tile, ptr addrspace(1) %out, i64 %n) {
entry:
  %id = call i64 @us.local_id(i32 0)
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %j1, %loop ]
  %a = phi float [ 0.0, %entry ], [ %a1, %loop ]
  %b = phi float [ 0.0, %entry ], [ %b1, %loop ]
  %c = phi float [ 0.0, %entry ], [ %c1, %loop ]
  %d = phi float [ 0.0, %entry ], [ %d1, %loop ]
  %p = getelementptr [64 x float], ptr addrspace(3) %tile, i64 %j, i64 %id
  %x = load float, ptr addrspace(3) %p
  %a1 = fadd float %a, %x
  %b1 = fsub float %b, %x
  %c1 = fmul float %c, %x
  %d1 = fdiv float %d, %x
  %j1 = add i64 %j, 1
  %more = icmp ult i64 %j1, %n
  br i1 %more, label %loop, label %end
end:
  %ab = fadd float %a1, %b1
  %cd = fadd float %c1, %d1
  %all = fadd float %ab, %cd
  %q = getelementptr float, ptr addrspace(1) %out, i64 %id
  store float %all, ptr addrspace(1) %q
  ret void
}
