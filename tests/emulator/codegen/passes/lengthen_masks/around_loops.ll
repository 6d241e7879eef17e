; A mask that goes around a loop does so with long lanes, as its constants, negations and unions; its lanes are those of
; most of the elements: here 32 bits, although there is a comparison of doubles.
; RUN: us-opt -passes=lengthen_masks -kernel=k -target=avx2 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: turn:
; CHECK-NEXT: [[RUNS:%.*]] = phi <8 x i32> [ {{splat \(i32 -1\)|<i32 -1.*>}}, %0 ], [ [[STAYS:%.*]], %turn ]
; CHECK-NEXT: %sum = phi <8 x float>
; CHECK: %small = fcmp olt <8 x float> %next, {{.*}}
; CHECK-NEXT: [[SMALL:%.*]] = sext <8 x i1> %small to <8 x i32>
; CHECK: %far = fcmp ogt <8 x double> {{.*}}
; CHECK-NEXT: [[FAR:%.*]] = sext <8 x i1> %far to <8 x i32>
; CHECK-NEXT: [[NOT:%.*]] = xor <8 x i32> [[FAR]], {{splat \(i32 -1\)|<i32 -1.*>}}
; CHECK-NEXT: [[FROZEN:%.*]] = freeze <8 x i32> [[NOT]]
; CHECK-NEXT: [[EITHER:%.*]] = or <8 x i32> [[SMALL]], [[FROZEN]]
; CHECK-NEXT: [[STAYS]] = and <8 x i32> [[RUNS]], [[EITHER]]
; CHECK-NEXT: [[MASK:%.*]] = icmp slt <8 x i32> [[RUNS]], zeroinitializer
; CHECK-NEXT: %kept = select <8 x i1> [[MASK]], <8 x float> %next, <8 x float> %sum
; CHECK-NEXT: [[ANY:%.*]] = icmp slt <8 x i32> [[STAYS]], zeroinitializer
; CHECK-NEXT: %bits = bitcast <8 x i1> [[ANY]] to i8
define void @k(<8 x float> %x, <8 x double> %d, ptr %p) {
  br label %turn

turn:
  %runs = phi <8 x i1> [ splat (i1 true), %0 ], [ %stays, %turn ]
  %sum = phi <8 x float> [ %x, %0 ], [ %kept, %turn ]
  %next = fadd <8 x float> %sum, %x
  %small = fcmp olt <8 x float> %next, splat (float 4.0)
  %far = fcmp ogt <8 x double> %d, splat (double 1.0)
  %near = xor <8 x i1> %far, splat (i1 true)
  %either = select <8 x i1> %small, <8 x i1> splat (i1 true), <8 x i1> %near
  %stays = and <8 x i1> %runs, %either
  %kept = select <8 x i1> %runs, <8 x float> %next, <8 x float> %sum
  %bits = bitcast <8 x i1> %stays to i8
  %any = icmp ne i8 %bits, 0
  br i1 %any, label %turn, label %end

end:
  store <8 x float> %kept, ptr %p
  ret void
}
