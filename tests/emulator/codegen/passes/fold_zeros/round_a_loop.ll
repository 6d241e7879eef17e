; What is zero at first, and is put together of itself, is zero; not so what gets another part, in any round.
; RUN: us-opt -passes=fold_zeros -kernel=k %s | FileCheck %s

; CHECK-LABEL: define void @k(
; CHECK-NOT:  %shadow
; CHECK:      %other = phi <4 x i32> [ zeroinitializer, %entry ], [ %changed, %round ]
; CHECK-NOT:  %three
; CHECK:      %changed = insertelement <4 x i32> %other, i32 %x, i32 2
; CHECK:      br i1 %more, label %round, label %end
; CHECK:      store i1 false, ptr %a
; CHECK-NEXT: store i32 0, ptr %b
; CHECK-NEXT: %differs = icmp ne <4 x i32> %other, zeroinitializer
define void @k(i32 %x, i1 %more, ptr %a, ptr %b) {
entry:
  br label %round
round:
  %shadow = phi <4 x i32> [ zeroinitializer, %entry ], [ %four, %round ]
  %other = phi <4 x i32> [ zeroinitializer, %entry ], [ %changed, %round ]
  %three = shufflevector <4 x i32> %shadow, <4 x i32> zeroinitializer, <3 x i32> <i32 0, i32 1, i32 2>
  %both = or <3 x i32> %three, zeroinitializer
  %four = shufflevector <3 x i32> %both, <3 x i32> zeroinitializer, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>
  %changed = insertelement <4 x i32> %other, i32 %x, i32 2
  br i1 %more, label %round, label %end
end:
  %bits = bitcast <4 x i32> %shadow to i128
  %is = icmp ne i128 %bits, 0
  store i1 %is, ptr %a
  %one = extractelement <4 x i32> %shadow, i32 1
  %masked = and i32 %one, %x
  store i32 %masked, ptr %b
  %differs = icmp ne <4 x i32> %other, zeroinitializer
  store <4 x i1> %differs, ptr %a
  ret void
}
