; Row and column are parts of one number, with or without a sign, also of a power of two: the place is the number's.
; RUN: us-opt -passes=join_indices -kernel=k %s | FileCheck %s

; CHECK-LABEL: @k
define void @k(ptr addrspace(3) %t, i32 %l, i64 %n, ptr %other) {
  ; CHECK-NEXT: [[L:%.*]] = zext i32 %l to i64
  ; CHECK-NEXT: [[P:%.*]] = getelementptr inbounds i32, ptr addrspace(3) %t, i64 [[L]]
  ; CHECK-NEXT: store i32 1, ptr addrspace(3) [[P]]
  %row = udiv i32 %l, 18
  %column = urem i32 %l, 18
  %row64 = zext nneg i32 %row to i64
  %column64 = zext nneg i32 %column to i64
  %p = getelementptr inbounds [18 x [18 x float]], ptr addrspace(3) %t, i64 0, i64 %row64, i64 %column64
  store i32 1, ptr addrspace(3) %p

  ; What else is added stays added.
  ; CHECK-NEXT: [[L2:%.*]] = zext i32 %l to i64
  ; CHECK-NEXT: [[MOVED:%.*]] = mul i64 %n, 1296
  ; CHECK-NEXT: [[TILE:%.*]] = getelementptr i8, ptr addrspace(3) %t, i64 [[MOVED]]
  ; CHECK-NEXT: [[IN:%.*]] = getelementptr i32, ptr addrspace(3) [[TILE]], i64 [[L2]]
  ; CHECK-NEXT: store i32 2, ptr addrspace(3) [[IN]]
  %q = getelementptr inbounds [18 x [18 x float]], ptr addrspace(3) %t, i64 %n, i64 %row64, i64 %column64
  store i32 2, ptr addrspace(3) %q

  ; CHECK-NEXT: [[R:%.*]] = getelementptr inbounds i64, ptr %other, i64 %n
  ; CHECK-NEXT: store i32 3, ptr [[R]]
  %high = lshr i64 %n, 4
  %low = and i64 %n, 15
  %r = getelementptr inbounds [16 x i64], ptr %other, i64 %high, i64 %low
  store i32 3, ptr %r

  ; CHECK-NEXT: [[S:%.*]] = sext i32 %l to i64
  ; CHECK-NEXT: getelementptr inbounds i8, ptr %other, i64 [[S]]
  %a = sdiv i32 %l, 10
  %b = srem i32 %l, 10
  %a64 = sext i32 %a to i64
  %b64 = sext i32 %b to i64
  %s = getelementptr inbounds [10 x i8], ptr %other, i64 %a64, i64 %b64
  store i32 4, ptr %s
  ret void
}
