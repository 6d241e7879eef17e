; A loop waits if whether it goes on depends on memory that it reads atomically.
; RUN: us-opt -passes='print<us-waiting-loops>' %s 2>&1 >/dev/null | FileCheck %s

; CHECK-LABEL: us-waiting-loops of k:
; CHECK-NEXT:  %wait
; CHECK-NOT:   %
define void @k(ptr addrspace(1) %flag, i64 %turns) {
entry:
  br label %wait
wait:
  %value = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %unset = icmp eq i32 %value, 0
  br i1 %unset, label %wait, label %count
count:
  %turn = phi i64 [ 0, %wait ], [ %next, %count ]
  store atomic i32 2, ptr addrspace(1) %flag release, align 4
  %next = add i64 %turn, 1
  %again = icmp ult i64 %next, %turns
  br i1 %again, label %count, label %end
end:
  ret void
}
