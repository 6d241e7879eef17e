; A product of three bytes is longer than 16 bits; a sum is needed as a longer number; what is shifted down may be negative.
; RUN: us-opt -passes=narrow_arithmetic -kernel=long %s | FileCheck %s
; RUN: us-opt -passes=narrow_arithmetic -kernel=needed %s | FileCheck %s
; RUN: us-opt -passes=narrow_arithmetic -kernel=negative %s | FileCheck %s
; CHECK-NOT: i16

define void @long(ptr %p, i8 %a, i8 %b) {
  %x = zext i8 %a to i32
  %y = zext i8 %b to i32
  %two = mul i32 %x, %y
  %three = mul i32 %two, %x
  %more = add i32 %three, 1
  %byte = trunc i32 %more to i8
  store i8 %byte, ptr %p
  ret void
}

define void @needed(ptr %p, i8 %a, i8 %b) {
  %x = zext i8 %a to i32
  %y = zext i8 %b to i32
  %two = add i32 %x, %y
  %three = add i32 %two, %x
  %more = add i32 %three, 1
  %byte = trunc i32 %more to i8
  store i8 %byte, ptr %p
  store i32 %more, ptr %p
  ret void
}

define void @negative(ptr %p, i8 %a, i8 %b) {
  %x = zext i8 %a to i32
  %y = zext i8 %b to i32
  %two = sub i32 %x, %y
  %three = lshr i32 %two, 3
  %more = add i32 %three, 1
  %byte = trunc i32 %more to i8
  store i8 %byte, ptr %p
  ret void
}
