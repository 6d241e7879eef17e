; Signed overflow wraps in data; in what forms an address the flags stay, also through variables and calls.
; RUN: us-opt -passes=guard_undefined_operations %s | FileCheck %s

; CHECK-LABEL: @data
define i32 @data(i32 %a, i32 %b) {
  ; CHECK-NEXT: %s = add i32 %a, %b
  %s = add nsw i32 %a, %b
  ; CHECK-NEXT: %t = mul i32 %s, %s
  %t = mul nuw nsw i32 %s, %s
  ; CHECK-NEXT: %u = shl i32 %t, 3
  %u = shl nsw i32 %t, 3
  ; CHECK-NEXT: %v = lshr i32 %u, 1
  %v = lshr exact i32 %u, 1
  ret i32 %v
}

; CHECK-LABEL: @address
define void @address(ptr addrspace(1) %p, i32 %a, i32 %b) {
  ; CHECK: %i = add nsw i32 %a, %b
  %variable = alloca i32
  %i = add nsw i32 %a, %b
  store i32 %i, ptr %variable
  %loaded = load i32, ptr %variable
  ; CHECK: %next = add nsw i32 %loaded, 1
  %next = add nsw i32 %loaded, 1
  %wide = sext i32 %next to i64
  ; CHECK: getelementptr inbounds float
  %element = getelementptr inbounds float, ptr addrspace(1) %p, i64 %wide
  store float 0.0, ptr addrspace(1) %element
  ret void
}

; CHECK-LABEL: @caller
define float @caller(ptr addrspace(1) %p, i32 %a) {
  ; CHECK-NEXT: %twice = mul nsw i32 %a, 2
  %twice = mul nsw i32 %a, 2
  %r = call float @callee(ptr addrspace(1) %p, i32 %twice)
  ret float %r
}

define float @callee(ptr addrspace(1) %p, i32 %i) {
  %wide = sext i32 %i to i64
  %element = getelementptr inbounds float, ptr addrspace(1) %p, i64 %wide
  %r = load float, ptr addrspace(1) %element
  ret float %r
}
