; Masks of bytes have the length that processors give them anyway, and one that is used where it is made is left alone.
; RUN: us-opt -passes=lengthen_masks -kernel=k -target=avx2 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK-NOT: sext
; CHECK: ret void
define void @k(<16 x i8> %x, <16 x i8> %y, <16 x i32> %z, ptr %p, i1 %c) {
  %m = icmp slt <16 x i8> %x, %y
  %n = icmp slt <16 x i32> %z, zeroinitializer
  %w = select <16 x i1> %n, <16 x i32> %z, <16 x i32> zeroinitializer
  store <16 x i32> %w, ptr %p
  br i1 %c, label %there, label %end

there:
  %v = select <16 x i1> %m, <16 x i8> %x, <16 x i8> %y
  store <16 x i8> %v, ptr %p
  br label %end

end:
  ret void
}
