; Only some work-items come to what a guard stands before. A pass that takes the guard away takes the analysis along, and
; one that changes nothing leaves it.
; RUN: us-opt -kernel=k -passes='function(print<us-divergent-blocks>),limit_work_items,function(print<us-divergent-blocks>)' \
; RUN:   %s 2>&1 >/dev/null | FileCheck %s
declare i64 @us.global_id(i32) nounwind speculatable willreturn memory(none)

; CHECK-LABEL: us-divergent-blocks of k:
; CHECK-NEXT:  %body
; CHECK-NEXT:  us-divergent-blocks of k:
; CHECK-NOT:   %
define void @k(ptr addrspace(1) %out, i64 %size) {
entry:
  %id = call i64 @us.global_id(i32 0)
  %inside = icmp ult i64 %id, %size
  br i1 %inside, label %body, label %end
body:
  %place = getelementptr i64, ptr addrspace(1) %out, i64 %id
  store i64 %id, ptr addrspace(1) %place
  br label %end
end:
  ret void
}

; A way that ends the launch leaves nobody apart: who goes on meets behind the branch.
; RUN: us-opt -passes='function(print<us-divergent-blocks>)' %s 2>&1 >/dev/null | FileCheck --check-prefix=ENDS %s
declare i64 @us.local_id(i32) nounwind speculatable willreturn memory(none)

; ENDS-LABEL: us-divergent-blocks of ends_the_launch:
; ENDS-NEXT: %first
; ENDS-NEXT: %fault
; ENDS-NEXT: %fetch
; ENDS-NOT:  %
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
