; What is asked of an address is asked of what it begins with, once, and as far outside of loops as it is certain to be
; reached: never where the access might not be.
; RUN: us-opt -passes=check_alignment -kernel=sum %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"
declare void @us.check(i32, i64)
declare i64 @us.global_id(i32)
@known = addrspace(1) global i32 0, align 4

; A pointer that a loop moves by 4; the loop runs at least once. The variable's address is known.
; CHECK-LABEL: @sum
; CHECK:      entry:
; CHECK-NOT:  call void @us.check
; CHECK:      [[LOW:%.*]] = and i64 %a, 3
; CHECK-NEXT: call void @us.check(i32 0, i64 [[LOW]])
; CHECK-NEXT: br label %loop
; CHECK:      loop:
; CHECK-NOT:  us.check
; CHECK:      guarded:
; CHECK:      [[WIDE:%.*]] = and i64 %b, 15
; CHECK-NEXT: call void @us.check(i32 0, i64 [[WIDE]])
; CHECK-NOT:  us.check
; CHECK:      ret void
define spir_kernel void @sum(i64 %a, i64 %b, i32 %n) {
entry:
  %c = and i64 ptrtoint (ptr addrspace(1) @known to i64), 3
  call void @us.check(i32 0, i64 %c)
  br label %loop
loop:
  %at = phi i64 [ %a, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %more, %loop ]
  %low = and i64 %at, 3
  call void @us.check(i32 0, i64 %low)
  %p = inttoptr i64 %at to ptr addrspace(1)
  store i32 %i, ptr addrspace(1) %p, align 4
  %next = add i64 %at, 4
  %more = add i32 %i, 1
  %again = icmp ult i32 %more, %n
  br i1 %again, label %loop, label %test
test:
  %id = call i64 @us.global_id(i32 0)
  %first = icmp eq i64 %id, 0
  br i1 %first, label %guarded, label %end
guarded:
  %bytes = shl i64 %id, 4
  %sum = add i64 %b, %bytes
  %second = add i64 %sum, 8
  %x = and i64 %sum, 15
  call void @us.check(i32 0, i64 %x)
  %y = and i64 %second, 7
  call void @us.check(i32 0, i64 %y)
  br label %end
end:
  ret void
}
