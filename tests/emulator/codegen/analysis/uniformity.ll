; The same for all work-items: what is of the group, and what is read from one address. Not ids, private memory, and what
; a loop hands on that work-items leave at different turns.
; RUN: us-opt -passes='print<us-uniformity>' %s 2>&1 >/dev/null | FileCheck %s
declare i64 @us.group_id(i32)
declare i64 @us.local_id(i32)

; CHECK-LABEL: us-uniformity of k:
define void @k(ptr addrspace(1) %in) {
; CHECK-NEXT: %entry:
entry:
  ; CHECK-NEXT: same %group =
  %group = call i64 @us.group_id(i32 0)
  ; CHECK-NEXT: differs %item =
  %item = call i64 @us.local_id(i32 0)
  ; CHECK-NEXT: same %same =
  %same = load i64, ptr addrspace(1) %in
  ; CHECK-NEXT: differs %place =
  %place = getelementptr i64, ptr addrspace(1) %in, i64 %item
  ; CHECK-NEXT: differs %own =
  %own = load i64, ptr addrspace(1) %place
  ; CHECK-NEXT: differs %private =
  %private = alloca i64
  br label %loop
; CHECK-NEXT: %loop: work-items part at its end
loop:
  ; CHECK-NEXT: same %turn =
  %turn = phi i64 [ 0, %entry ], [ %next, %loop ]
  ; CHECK-NEXT: differs %next =
  %next = add i64 %turn, 1
  ; CHECK-NEXT: differs %again =
  %again = icmp ult i64 %next, %own
  br i1 %again, label %loop, label %end
; CHECK-NEXT: %end:
end:
  ; CHECK-NEXT: differs %last =
  %last = phi i64 [ %next, %loop ]
  ret void
}

; What only some have is nobody's where these meet the others.
; CHECK-LABEL: us-uniformity of some:
define void @some(ptr addrspace(1) %in) {
entry:
  %item = call i64 @us.local_id(i32 0)
  %low = icmp ult i64 %item, 5
  br i1 %low, label %there, label %meet
there:
  ; CHECK: same %value =
  %value = load i64, ptr addrspace(1) %in
  br label %meet
meet:
  ; CHECK: differs %perhaps =
  %perhaps = phi i64 [ %value, %there ], [ undef, %entry ]
  ret void
}
