; Parts of different numbers, of different divisions, longer with a sign than they were divided, or of a row that is
; longer than the divisor: nothing is joined.
; RUN: us-opt -passes=join_indices -kernel=k %s | FileCheck %s

; CHECK-LABEL: @k
define void @k(ptr %t, i32 %l, i32 %m) {
  %row = udiv i32 %l, 18
  %column = urem i32 %l, 18
  %row64 = zext i32 %row to i64
  %column64 = zext i32 %column to i64
  ; CHECK: getelementptr inbounds [19 x float], ptr %t, i64 %row64, i64 %column64
  %p = getelementptr inbounds [19 x float], ptr %t, i64 %row64, i64 %column64
  store i32 1, ptr %p
  %others = urem i32 %m, 18
  %others64 = zext i32 %others to i64
  ; CHECK: getelementptr inbounds [18 x float], ptr %t, i64 %row64, i64 %others64
  %q = getelementptr inbounds [18 x float], ptr %t, i64 %row64, i64 %others64
  store i32 2, ptr %q
  %a = sdiv i32 %l, 18
  %b = srem i32 %l, 18
  %a64 = sext i32 %a to i64
  %b64 = sext i32 %b to i64
  ; CHECK: getelementptr inbounds [18 x float], ptr %t, i64 %a64, i64 %column64
  %r = getelementptr inbounds [18 x float], ptr %t, i64 %a64, i64 %column64
  store i32 3, ptr %r
  %c64 = zext i32 %a to i64
  %d64 = zext i32 %b to i64
  ; CHECK: getelementptr inbounds [18 x float], ptr %t, i64 %c64, i64 %d64
  %s = getelementptr inbounds [18 x float], ptr %t, i64 %c64, i64 %d64
  store i32 4, ptr %s
  ret void
}
