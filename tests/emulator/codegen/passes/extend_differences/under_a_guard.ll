; Where a branch on the way says that it does not wrap, a difference is made of the longer numbers; elsewhere it stays.
; RUN: us-opt -passes=extend_differences -kernel=k %s | FileCheck %s

; CHECK-LABEL: @k
define void @k(ptr %t, i32 %l, i32 %d) {
entry:
  %below = icmp ult i32 %l, %d
  br i1 %below, label %other, label %inside
inside:
  ; CHECK: inside:
  ; CHECK-NEXT: [[L:%.*]] = zext i32 %l to i64
  ; CHECK-NEXT: [[D:%.*]] = zext i32 %d to i64
  ; CHECK-NEXT: [[I:%.*]] = sub nuw nsw i64 [[L]], [[D]]
  ; CHECK-NEXT: getelementptr i32, ptr %t, i64 [[I]]
  %i = sub i32 %l, %d
  %x = zext i32 %i to i64
  %p = getelementptr i32, ptr %t, i64 %x
  store i32 1, ptr %p
  %enough = icmp ugt i32 %l, 31
  br i1 %enough, label %far, label %end
far:
  ; CHECK: far:
  ; CHECK-NEXT: [[FAR:%.*]] = zext i32 %l to i64
  ; CHECK-NEXT: sub nuw nsw i64 [[FAR]], 16
  %j = add i32 %l, -16
  %y = zext i32 %j to i64
  %q = getelementptr i32, ptr %t, i64 %y
  store i32 2, ptr %q
  br label %end
other:
  ; CHECK: other:
  ; CHECK-NEXT: [[K:%.*]] = sub i32 %l, %d
  ; CHECK-NEXT: zext i32 [[K]] to i64
  %k = sub i32 %l, %d
  %z = zext i32 %k to i64
  %r = getelementptr i32, ptr %t, i64 %z
  store i32 3, ptr %r
  br label %end
end:
  ret void
}
