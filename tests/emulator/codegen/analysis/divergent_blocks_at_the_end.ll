; A way that ends the launch leaves nobody apart: who goes on meets behind the branch.
; RUN: us-opt -passes='function(print<us-divergent-blocks>)' %s 2>&1 >/dev/null | FileCheck %s
declare i64 @us.local_id(i32) nounwind speculatable willreturn memory(none)

; CHECK-LABEL: us-divergent-blocks of ends_the_launch:
; CHECK-NEXT: %first
; CHECK-NEXT: %fault
; CHECK-NEXT: %fetch
; CHECK-NOT:  %
define void @ends_the_launch(ptr addrspace(1) %counter, i64 %misaligned) {
entry:
  %id = call i64 @us.local_id(i32 0)
  %is_first = icmp eq i64 %id, 0
  br i1 %is_first, label %first, label %all
first:
  %is_aligned = icmp eq i64 %misaligned, 0
  br i1 %is_aligned, label %fetch, label %fault
fault:
  store volatile i8 0, ptr inttoptr (i64 64 to ptr)
  unreachable
fetch:
  %old = atomicrmw add ptr addrspace(1) %counter, i32 1 monotonic
  br label %all
all:
  br label %end
end:
  ret void
}
