; For processors with mask registers, what a mask's lanes are added to or subtracted from is chosen by the mask; others, and
; lanes that are used besides, stay.
; RUN: us-opt -passes=expand_masks -kernel=k -target=avx512 %s | FileCheck %s
; RUN: us-opt -passes=expand_masks -kernel=k -target=avx2 %s | FileCheck %s --check-prefix=AVX2

; CHECK-LABEL: @k
; CHECK: [[A:%.*]] = add <4 x i32> %x, <i32 -1, i32 -1, i32 -1, i32 -1>
; CHECK-NEXT: %a = select <4 x i1> %m, <4 x i32> [[A]], <4 x i32> %x
; CHECK: [[B:%.*]] = add <4 x i32> %a, <i32 1, i32 1, i32 1, i32 1>
; CHECK-NEXT: %b = select <4 x i1> %m, <4 x i32> [[B]], <4 x i32> %a
; CHECK: [[C:%.*]] = add <4 x i32> %b, <i32 1, i32 1, i32 1, i32 1>
; CHECK-NEXT: %c = select <4 x i1> %m, <4 x i32> [[C]], <4 x i32> %b
; CHECK: [[D:%.*]] = add <4 x i32> %c, <i32 -1, i32 -1, i32 -1, i32 -1>
; CHECK-NEXT: %d = select <4 x i1> %m, <4 x i32> [[D]], <4 x i32> %c
; CHECK: %from = sub <4 x i32> %s5, %d
; CHECK: %twice = add <4 x i32> %s6, %from
; AVX2-NOT: select
; AVX2: ret void
define void @k(<4 x i1> %m, <4 x i32> %x, ptr %out) {
  %s1 = sext <4 x i1> %m to <4 x i32>
  %a = add <4 x i32> %x, %s1
  %s2 = zext <4 x i1> %m to <4 x i32>
  %b = add nsw <4 x i32> %s2, %a
  %s3 = sext <4 x i1> %m to <4 x i32>
  %c = sub <4 x i32> %b, %s3
  %s4 = zext <4 x i1> %m to <4 x i32>
  %d = sub nuw <4 x i32> %c, %s4
  %s5 = sext <4 x i1> %m to <4 x i32>
  %from = sub <4 x i32> %s5, %d
  %s6 = sext <4 x i1> %m to <4 x i32>
  %twice = add <4 x i32> %s6, %from
  %all = mul <4 x i32> %twice, %s6
  store <4 x i32> %all, ptr %out
  ret void
}
