; Nobody is a turn ahead: who goes round, or leaves a loop in which threads wait for each other, waits for the others.
; Where all of the warp meet in each turn nothing is added.
; RUN: us-opt -passes=keep_warps_in_step -kernel=k -tier=fiber %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @k
; CHECK: alone:
; CHECK: %a = load i32, ptr addrspace(3) %other
; CHECK-NEXT: call i32 @us.sub_group_sync(i32 512, i32 0)
; CHECK-NEXT: store i32 %a, ptr addrspace(3) %own
; CHECK: call i32 @us.sub_group_sync(i32 512, i32 0)
; CHECK-NEXT: br i1 %again, label %alone, label %middle
; CHECK: middle:
; CHECK-NEXT: call i32 @us.sub_group_sync(i32 512, i32 0)
; CHECK: together:
; CHECK: call i32 @us.sub_group_sync(i32 3, i32 -1)
; CHECK-NEXT: %b = load i32, ptr addrspace(3) %other
; CHECK-NEXT: call i32 @us.sub_group_sync(i32 512, i32 0)
; CHECK-NEXT: store i32 %b, ptr addrspace(3) %own
; CHECK-NOT: us.sub_group_sync
; CHECK: ret void
@k.room = internal addrspace(3) global [256 x i8] undef, align 4
declare i64 @us.local_id(i32)
declare i32 @us.sub_group_sync(i32, i32)
define spir_kernel void @k(i32 %turns) !us_language_target !0 {
entry:
  %id = call i64 @us.local_id(i32 0)
  %own = getelementptr i32, ptr addrspace(3) @k.room, i64 %id
  %number = xor i64 %id, 1
  %other = getelementptr i32, ptr addrspace(3) @k.room, i64 %number
  br label %alone
alone:
  %turn = phi i32 [ 0, %entry ], [ %next, %alone ]
  %a = load i32, ptr addrspace(3) %other
  store i32 %a, ptr addrspace(3) %own
  %next = add i32 %turn, 1
  %again = icmp ult i32 %next, %turns
  br i1 %again, label %alone, label %middle
middle:
  br label %together
together:
  %turn2 = phi i32 [ 0, %middle ], [ %next2, %together ]
  %all = call i32 @us.sub_group_sync(i32 3, i32 -1)
  %b = load i32, ptr addrspace(3) %other
  store i32 %b, ptr addrspace(3) %own
  %next2 = add i32 %turn2, 1
  %again2 = icmp ult i32 %next2, %turns
  br i1 %again2, label %together, label %end
end:
  ret void
}
!0 = !{i32 80}
