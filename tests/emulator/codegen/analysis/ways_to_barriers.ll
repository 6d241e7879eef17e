; Who ends before a barrier, and whether those that are left come to one and the same.
; RUN: us-opt -passes='print<us-ways-to-barriers>' %s 2>&1 >/dev/null | FileCheck %s --implicit-check-not=some
declare i64 @us.local_id(i32)
declare i64 @us.group_id(i32)
declare void @us.barrier(i32, i32)

; Some end at once; what the others do in between parts them for a while only.
; CHECK-LABEL: us-ways-to-barriers of guarded:
; CHECK-NEXT: some may end behind %entry
define void @guarded(ptr addrspace(1) %out) {
entry:
  %item = call i64 @us.local_id(i32 0)
  %outside = icmp ugt i64 %item, 40
  br i1 %outside, label %end, label %inside
inside:
  %small = icmp ult i64 %item, 5
  br i1 %small, label %more, label %meet
more:
  store i64 1, ptr addrspace(1) %out
  br label %meet
meet:
  call void @us.barrier(i32 1, i32 1)
  br label %end
end:
  ret void
}

; In a loop.
; CHECK-LABEL: us-ways-to-barriers of round:
; CHECK-NEXT: some may end behind %turn
define void @round(ptr addrspace(1) %out) {
entry:
  %item = call i64 @us.local_id(i32 0)
  br label %turn
turn:
  %count = phi i64 [ 0, %entry ], [ %next, %wait ]
  %done = icmp eq i64 %count, %item
  br i1 %done, label %end, label %wait
wait:
  call void @us.barrier(i32 1, i32 1)
  %next = add i64 %count, 1
  br label %turn
end:
  store i64 1, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: us-ways-to-barriers of parted:
; CHECK-NEXT: some may come to another barrier
; CHECK-NEXT: some may end behind %entry
define void @parted() {
entry:
  %item = call i64 @us.local_id(i32 0)
  %low = icmp ult i64 %item, 32
  br i1 %low, label %one, label %other
one:
  call void @us.barrier(i32 1, i32 1)
  br label %end
other:
  call void @us.barrier(i32 1, i32 1)
  br label %end
end:
  ret void
}

; Some leave the loop for another barrier while others stay.
; CHECK-LABEL: us-ways-to-barriers of left:
; CHECK-NEXT: some may come to another barrier
; CHECK-NEXT: some may end behind %turn
define void @left() {
entry:
  %item = call i64 @us.local_id(i32 0)
  br label %turn
turn:
  %count = phi i64 [ 0, %entry ], [ %next, %wait ]
  %done = icmp eq i64 %count, %item
  br i1 %done, label %behind, label %wait
wait:
  call void @us.barrier(i32 1, i32 1)
  %next = add i64 %count, 1
  br label %turn
behind:
  call void @us.barrier(i32 1, i32 1)
  ret void
}

; All go the same way.
; CHECK-LABEL: us-ways-to-barriers of together:
define void @together(ptr addrspace(1) %out) {
entry:
  %group = call i64 @us.group_id(i32 0)
  %first = icmp eq i64 %group, 0
  br i1 %first, label %one, label %other
one:
  call void @us.barrier(i32 1, i32 1)
  br label %end
other:
  call void @us.barrier(i32 1, i32 1)
  br label %end
end:
  ret void
}
