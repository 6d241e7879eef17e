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

; Who looks at another place in each turn waits at none of them; a place that comes again is another matter.
; CHECK-LABEL: us-waiting-loops of looks_further_on:
; CHECK-NEXT:  %ring
; CHECK-NOT:   %
define void @looks_further_on(ptr addrspace(3) %values, i64 %from, i32 %least) {
entry:
  br label %scan
scan:
  %place = phi i64 [ %from, %entry ], [ %further, %scan ]
  %further = add i64 %place, 1
  %distance = shl i64 %place, 2
  %next = getelementptr i8, ptr addrspace(3) %values, i64 %distance
  %value = load volatile i32, ptr addrspace(3) %next
  %less = icmp slt i32 %value, %least
  br i1 %less, label %scan, label %ring
ring:
  %slot = phi i64 [ 0, %scan ], [ %wrapped, %ring ]
  %after = add i64 %slot, 1
  %wrapped = and i64 %after, 7
  %in.ring = getelementptr i32, ptr addrspace(3) %values, i64 %slot
  %seen = load volatile i32, ptr addrspace(3) %in.ring
  %empty = icmp eq i32 %seen, 0
  br i1 %empty, label %ring, label %end
end:
  ret void
}
