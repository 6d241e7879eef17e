; A mask that is used in another block goes there with lanes as long as the elements that it was compared from and those
; that it chooses between; where it is used it is a mask again. What a lane that is not asked has, may be poison: it is
; frozen. Where it is made it stays. Processors with mask registers keep it as it is.
; RUN: us-opt -passes=lengthen_masks -kernel=k -target=avx2 %s | FileCheck %s
; RUN: us-opt -passes=lengthen_masks -kernel=k -target=sse4.2 %s | FileCheck %s
; RUN: us-opt -passes=lengthen_masks -kernel=k -target=avx512 %s | FileCheck %s --check-prefix=MASKS

; CHECK-LABEL: @k
; CHECK: %m = icmp slt <16 x i32> %x, %y
; CHECK-NEXT: [[M:%.*]] = sext <16 x i1> %m to <16 x i32>
; CHECK-NEXT: bitcast <16 x i1> %m to i16
; CHECK: there:
; CHECK-NEXT: %c = icmp eq <16 x i32> %x, zeroinitializer
; CHECK-NEXT: [[C:%.*]] = sext <16 x i1> %c to <16 x i32>
; CHECK-NEXT: [[FROZEN:%.*]] = freeze <16 x i32> [[C]]
; CHECK-NEXT: [[O:%.*]] = and <16 x i32> [[M]], [[FROZEN]]
; CHECK-NEXT: [[SHORT:%.*]] = icmp slt <16 x i32> [[O]], zeroinitializer
; CHECK-NEXT: call void @llvm.masked.store.v16i32.p0(<16 x i32> %y, ptr %p, i32 4, <16 x i1> [[SHORT]])
; CHECK: end:

; MASKS-NOT: sext
define void @k(<16 x i32> %x, <16 x i32> %y, ptr %p) {
  %m = icmp slt <16 x i32> %x, %y
  %bits = bitcast <16 x i1> %m to i16
  %any = icmp ne i16 %bits, 0
  br i1 %any, label %there, label %end

there:
  %c = icmp eq <16 x i32> %x, zeroinitializer
  %o = select <16 x i1> %m, <16 x i1> %c, <16 x i1> zeroinitializer
  call void @llvm.masked.store.v16i32.p0(<16 x i32> %y, ptr %p, i32 4, <16 x i1> %o)
  br label %end

end:
  ret void
}

declare void @llvm.masked.store.v16i32.p0(<16 x i32>, ptr, i32, <16 x i1>)
