; What can be computed before any work-item runs: once for the launch, or once for the group. Memory that may change
; cannot be read then.
; RUN: us-opt -passes='print<us-invariance>' %s 2>&1 >/dev/null | FileCheck %s
declare i64 @us.global_size(i32) nounwind speculatable willreturn memory(none)
declare i64 @us.group_id(i32)
declare i64 @us.local_id(i32)

; CHECK-LABEL: us-invariance of k:
define void @k(ptr addrspace(1) %in) {
  ; CHECK-NEXT: launch %size =
  %size = call i64 @us.global_size(i32 0)
  ; CHECK-NEXT: group %group =
  %group = call i64 @us.group_id(i32 0)
  ; CHECK-NEXT: item %item =
  %item = call i64 @us.local_id(i32 0)
  ; CHECK-NEXT: launch %half =
  %half = lshr i64 %size, 1
  ; CHECK-NEXT: group %begin =
  %begin = mul i64 %group, %half
  ; CHECK-NEXT: item %at =
  %at = add i64 %begin, %item
  ; CHECK-NEXT: launch %fixed =
  %fixed = load i64, ptr addrspace(1) %in, !invariant.load !0
  ; CHECK-NEXT: item %loaded =
  %loaded = load i64, ptr addrspace(1) %in
  ; Division may trap, and is not for those who would not have divided.
  ; CHECK-NEXT: item %divided =
  %divided = udiv i64 %size, %fixed
  ret void
}
!0 = !{}
