; Work that only the true side of one mask's selects needs goes behind a branch, with all those selects.
; RUN: us-opt -passes=skip_unselected_work %s | FileCheck %s

; CHECK-LABEL: @rare
; CHECK: %mask = fcmp
; CHECK-NEXT: %usual = fmul
; CHECK-NEXT: %shared = fadd
; CHECK-NEXT: [[BITS:%.*]] = bitcast <4 x i1> %mask to i4
; CHECK-NEXT: [[ANY:%.*]] = icmp ne i4 [[BITS]], 0
; CHECK-NEXT: br i1 [[ANY]], label %[[SELECTED:.*]], label %[[JOINED:.*]]
; CHECK: [[SELECTED]]:
; CHECK-NEXT: %a = fdiv
; CHECK-NEXT: %b = fdiv
; CHECK-NEXT: %c = fdiv
; CHECK-NEXT: %d = fdiv
; CHECK-NEXT: %r = select <4 x i1> %mask, <4 x float> %d, <4 x float> %usual
; CHECK-NEXT: %s = select <4 x i1> %mask, <4 x float> %c, <4 x float> %shared
; CHECK-NEXT: br label %[[JOINED]]
; CHECK: [[JOINED]]:
; CHECK-DAG: phi <4 x float> [ %r, %[[SELECTED]] ], [ %usual, %0 ]
; CHECK-DAG: phi <4 x float> [ %s, %[[SELECTED]] ], [ %shared, %0 ]
; CHECK: ret
define <4 x float> @rare(<4 x float> %x) {
  %mask = fcmp ogt <4 x float> %x, zeroinitializer
  %usual = fmul <4 x float> %x, %x
  %shared = fadd <4 x float> %x, %x
  %a = fdiv <4 x float> %shared, %x
  %b = fdiv <4 x float> %a, %x
  %c = fdiv <4 x float> %b, %a
  %d = fdiv <4 x float> %c, %b
  %r = select <4 x i1> %mask, <4 x float> %d, <4 x float> %usual
  %s = select <4 x i1> %mask, <4 x float> %c, <4 x float> %shared
  %result = fadd <4 x float> %r, %s
  ret <4 x float> %result
}

; The false side: skipped if every lane is true.
; CHECK-LABEL: @other_side
; CHECK: icmp ne i4 {{.*}}, -1
; CHECK-NEXT: br i1
; CHECK: fdiv
define <4 x float> @other_side(<4 x float> %x) {
  %mask = fcmp ogt <4 x float> %x, zeroinitializer
  %a = fdiv <4 x float> %x, <float 1.0, float 2.0, float 3.0, float 4.0>
  %b = fdiv <4 x float> %a, %x
  %c = fdiv <4 x float> %b, %a
  %d = fdiv <4 x float> %c, %b
  %r = select <4 x i1> %mask, <4 x float> %x, <4 x float> %d
  ret <4 x float> %r
}
