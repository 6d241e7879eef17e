; A division that could trap divides by 1 instead; a constant divisor that cannot is left alone.
; RUN: us-opt -passes=guard_undefined_operations %s | FileCheck %s

; CHECK-LABEL: @unsigned
define i32 @unsigned(i32 %a, i32 %b) {
  ; CHECK-NEXT: [[ZERO:%.*]] = icmp eq i32 %b, 0
  ; CHECK-NEXT: [[SAFE:%.*]] = select i1 [[ZERO]], i32 1, i32 %b
  ; CHECK-NEXT: %q = udiv i32 %a, [[SAFE]]
  %q = udiv exact i32 %a, %b
  ; CHECK-NEXT: %r = urem i32 %a, 7
  %r = urem i32 %a, 7
  %s = add i32 %q, %r
  ret i32 %s
}

; CHECK-LABEL: @signed
define i64 @signed(i64 %a, i64 %b) {
  ; CHECK-NEXT: [[ZERO:%.*]] = icmp eq i64 %b, 0
  ; CHECK-NEXT: [[LOWEST:%.*]] = icmp eq i64 %a, -9223372036854775808
  ; CHECK-NEXT: [[MINUS:%.*]] = icmp eq i64 %b, -1
  ; CHECK-NEXT: [[BOTH:%.*]] = and i1 [[LOWEST]], [[MINUS]]
  ; CHECK-NEXT: [[TRAPS:%.*]] = or i1 [[ZERO]], [[BOTH]]
  ; CHECK-NEXT: [[SAFE:%.*]] = select i1 [[TRAPS]], i64 1, i64 %b
  ; CHECK-NEXT: %r = srem i64 %a, [[SAFE]]
  %r = srem i64 %a, %b
  ret i64 %r
}

; CHECK-LABEL: @constants
define <2 x i32> @constants(<2 x i32> %a) {
  ; CHECK-NEXT: %q = sdiv <2 x i32> %a, <i32 3, i32 -5>
  %q = sdiv <2 x i32> %a, <i32 3, i32 -5>
  ; CHECK-NEXT: icmp eq <2 x i32> %q
  ; CHECK: select <2 x i1>
  %r = sdiv <2 x i32> %q, <i32 3, i32 -1>
  ; CHECK: %s = udiv <2 x i32> %r, <i32 3, i32 -1>
  %s = udiv <2 x i32> %r, <i32 3, i32 -1>
  ; CHECK: %t = udiv <2 x i32> %s, <i32 3, i32 1>
  %t = udiv <2 x i32> %s, <i32 3, i32 0>
  ret <2 x i32> %t
}
