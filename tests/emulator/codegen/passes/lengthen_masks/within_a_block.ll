; A mask that is made of masks of masks has long lanes, though it stays in its block: LLVM would make bytes of each on the
; way. To one of two comparisons LLVM sees itself.
; RUN: us-opt -passes=lengthen_masks -kernel=k -target=avx2 %s | FileCheck %s
; RUN: us-opt -passes=lengthen_masks -kernel=k -target=avx512 %s | FileCheck %s --check-prefix=MASKS

; CHECK-LABEL: @k
; CHECK: %a = fcmp olt <16 x float> %x, %y
; CHECK-NEXT: [[A:%.*]] = sext <16 x i1> %a to <16 x i32>
; CHECK: [[B:%.*]] = sext <16 x i1> %b to <16 x i32>
; CHECK: [[C:%.*]] = sext <16 x i1> %c to <16 x i32>
; CHECK: [[BOTH:%.*]] = and <16 x i32> [[A]], [[B]]
; CHECK-NEXT: [[ALL:%.*]] = and <16 x i32> [[BOTH]], [[C]]
; CHECK-NEXT: [[CHOSEN:%.*]] = icmp slt <16 x i32> [[ALL]], zeroinitializer
; CHECK-NEXT: select <16 x i1> [[CHOSEN]], <16 x float> %x, <16 x float> %y
; MASKS-NOT: sext
define <16 x float> @k(<16 x float> %x, <16 x float> %y, <16 x float> %z) {
  %a = fcmp olt <16 x float> %x, %y
  %b = fcmp olt <16 x float> %y, %z
  %c = fcmp olt <16 x float> %x, %z
  %both = and <16 x i1> %a, %b
  %all = and <16 x i1> %both, %c
  %chosen = select <16 x i1> %all, <16 x float> %x, <16 x float> %y
  ret <16 x float> %chosen
}

; CHECK-LABEL: @two
; CHECK-NOT: sext
; CHECK: ret
define <16 x float> @two(<16 x float> %x, <16 x float> %y, <16 x float> %z) {
  %a = fcmp olt <16 x float> %x, %y
  %b = fcmp olt <16 x float> %y, %z
  %both = and <16 x i1> %a, %b
  %chosen = select <16 x i1> %both, <16 x float> %x, <16 x float> %y
  ret <16 x float> %chosen
}
