; Masks that one number chooses, or is, become a calculation for each lane; those that are made of lanes stay.
; RUN: us-opt -passes=expand_masks -kernel=k %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: [[ALL:%.*]] = shufflevector
; CHECK-NEXT: %chosen = select <8 x i1> [[ALL]], <8 x i1> zeroinitializer, <8 x i1> %a
; CHECK: [[EACH:%.*]] = shufflevector
; CHECK-NEXT: [[BIT:%.*]] = and <8 x i8> [[EACH]], <i8 1, i8 2, i8 4, i8 8, i8 16, i8 32, i8 64, i8 -128>
; CHECK-NEXT: %bits = icmp ne <8 x i8> [[BIT]], zeroinitializer
; CHECK-NEXT: %kept = select <8 x i1> %a, <8 x i1> %chosen, <8 x i1> %bits
; CHECK-NEXT: %number = bitcast <8 x i1> %kept to i8
define void @k(i1 %c, i8 %n, <8 x i1> %a, ptr %out) {
  %chosen = select i1 %c, <8 x i1> zeroinitializer, <8 x i1> %a
  %bits = bitcast i8 %n to <8 x i1>
  %kept = select <8 x i1> %a, <8 x i1> %chosen, <8 x i1> %bits
  %number = bitcast <8 x i1> %kept to i8
  store i8 %number, ptr %out
  ret void
}
