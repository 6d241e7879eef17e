; An address that is a sum becomes a distance from the argument, the pointer or the loaded number in it; what has none of
; them stays as it is, and so does an address that is nothing but the base.
; RUN: us-opt -passes=recover_pointers -kernel=argument %s | FileCheck %s
target triple = "x86_64-pc-linux-gnu"
@shared = external addrspace(3) global [64 x float]

; CHECK-LABEL: @argument
define float @argument(i64 %a, i32 %i) {
  ; CHECK-NEXT: [[BASE:%.*]] = inttoptr i64 %a to ptr addrspace(1)
  ; CHECK: [[BYTES:%.*]] = shl nsw i64 %{{.*}}, 2
  ; CHECK: [[AT:%.*]] = getelementptr i8, ptr addrspace(1) [[BASE]], i64 [[BYTES]]
  ; CHECK-NEXT: load float, ptr addrspace(1) [[AT]]
  ; CHECK: getelementptr i8, ptr addrspace(1) [[BASE]], i64
  ; CHECK-NOT: inttoptr
  %wide = sext i32 %i to i64
  %bytes = shl nsw i64 %wide, 2
  %sum = add i64 %a, %bytes
  %p = inttoptr i64 %sum to ptr addrspace(1)
  %x = load float, ptr addrspace(1) %p
  %more = add i64 %sum, 16
  %q = inttoptr i64 %more to ptr addrspace(1)
  %y = load float, ptr addrspace(1) %q
  %r = fadd float %x, %y
  ret float %r
}

; CHECK-LABEL: @of_a_variable
define float @of_a_variable(i64 %distance) {
  ; CHECK: getelementptr i8, ptr addrspace(3) @shared, i64 %distance
  %sum = add i64 %distance, ptrtoint (ptr addrspace(3) @shared to i64)
  %p = inttoptr i64 %sum to ptr addrspace(3)
  %x = load float, ptr addrspace(3) %p
  ret float %x
}

; A pointer that moves along: the loop keeps one that its distance moves.
; CHECK-LABEL: @loop
define void @loop(i64 %a, i64 %n) {
entry:
  ; CHECK: [[BASE:%.*]] = inttoptr i64 %a to ptr
  br label %body
body:
  ; CHECK: body:
  ; CHECK: getelementptr i8, ptr [[BASE]], i64 %{{.*}}
  ; CHECK-NOT: inttoptr
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %at = phi i64 [ %a, %entry ], [ %further, %body ]
  %p = inttoptr i64 %at to ptr
  store i32 7, ptr %p
  %further = add i64 %at, 4
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %exit
exit:
  ret void
}

; CHECK-LABEL: @loaded
define float @loaded(ptr %from, i32 %i) {
  ; CHECK: [[NUMBER:%.*]] = load i64, ptr %from
  ; CHECK-NEXT: [[BASE:%.*]] = inttoptr i64 [[NUMBER]] to ptr
  ; CHECK: getelementptr i8, ptr [[BASE]],
  %number = load i64, ptr %from
  %wide = zext i32 %i to i64
  %sum = add i64 %number, %wide
  %p = inttoptr i64 %sum to ptr
  %x = load float, ptr %p
  ret float %x
}

; CHECK-LABEL: @nothing_to_find
define float @nothing_to_find(i64 %a, i32 %i) {
  ; CHECK: inttoptr i64 %a to ptr
  ; CHECK: inttoptr i64 %scaled to ptr
  ; CHECK-NOT: getelementptr
  %p = inttoptr i64 %a to ptr
  %x = load float, ptr %p
  %wide = zext i32 %i to i64
  %scaled = mul i64 %wide, %a
  %q = inttoptr i64 %scaled to ptr
  %y = load float, ptr %q
  %r = fadd float %x, %y
  ret float %r
}

declare i32 @number()

; What is made in the block of the cast itself, as in a kernel without branches.
; CHECK-LABEL: @one_block
define float @one_block(i64 %a) {
  ; CHECK: [[BASE:%.*]] = inttoptr i64 %a to ptr
  ; CHECK: call i32 @number
  ; CHECK: getelementptr i8, ptr [[BASE]],
  ; CHECK-NOT: inttoptr
  ; CHECK: ret
  %i = call i32 @number()
  %wide = sext i32 %i to i64
  %sum = add i64 %wide, %a
  %p = inttoptr i64 %sum to ptr
  %x = load float, ptr %p
  ret float %x
}
