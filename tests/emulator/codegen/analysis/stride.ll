; How many bytes an address moves on from one work-item to the next in dimension 0.
; RUN: us-opt -passes='print<us-stride>' %s 2>&1 >/dev/null | FileCheck %s
declare i64 @us.global_id(i32)

; CHECK-LABEL: us-stride of k:
define void @k(ptr addrspace(1) %in, i64 %width) {
  %x = call i64 @us.global_id(i32 0)
  %y = call i64 @us.global_id(i32 1)
  ; CHECK-NEXT: 0 %same =
  %same = load i32, ptr addrspace(1) %in
  %row = mul i64 %y, %width
  %index = add i64 %row, %x
  %element = getelementptr i32, ptr addrspace(1) %in, i64 %index
  ; CHECK-NEXT: 4 %neighbor =
  %neighbor = load i32, ptr addrspace(1) %element
  %twice = shl i64 %x, 1
  %other = getelementptr i32, ptr addrspace(1) %in, i64 %twice
  ; CHECK-NEXT: 8 store
  store i32 %same, ptr addrspace(1) %other
  %wide = mul i64 %x, %width
  %column = getelementptr i32, ptr addrspace(1) %in, i64 %wide
  ; CHECK-NEXT: unknown %transposed =
  %transposed = load i32, ptr addrspace(1) %column
  %far = sext i32 %neighbor to i64
  %gathered = getelementptr i32, ptr addrspace(1) %in, i64 %far
  ; CHECK-NEXT: unknown store
  store i32 %same, ptr addrspace(1) %gathered
  ret void
}
