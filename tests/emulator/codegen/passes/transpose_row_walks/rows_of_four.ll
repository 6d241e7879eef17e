; Gathers from four rows, an element a turn: transposed with a rest; not where something is written, where the place goes
; by two elements, or where not all lanes are asked.
; RUN: us-opt -passes=transpose_row_walks -kernel=k -target=avx2 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: [[R0:%.*]] = load <4 x float>, ptr {{%.*}}, align 4
; CHECK-NEXT: {{.*}} = getelementptr
; CHECK-NEXT: [[R1:%.*]] = load <4 x float>
; CHECK-NEXT: {{.*}} = getelementptr
; CHECK-NEXT: [[R2:%.*]] = load <4 x float>
; CHECK-NEXT: {{.*}} = getelementptr
; CHECK-NEXT: [[R3:%.*]] = load <4 x float>
; CHECK-NEXT: [[A:%.*]] = shufflevector <4 x float> [[R0]], <4 x float> [[R1]], <4 x i32> <i32 0, i32 4, i32 1, i32 5>
; CHECK-NEXT: [[B:%.*]] = shufflevector <4 x float> [[R2]], <4 x float> [[R3]], <4 x i32> <i32 0, i32 4, i32 1, i32 5>
; CHECK-NEXT: [[C:%.*]] = shufflevector <4 x float> [[R0]], <4 x float> [[R1]], <4 x i32> <i32 2, i32 6, i32 3, i32 7>
; CHECK-NEXT: [[D:%.*]] = shufflevector <4 x float> [[R2]], <4 x float> [[R3]], <4 x i32> <i32 2, i32 6, i32 3, i32 7>
; CHECK-NEXT: [[X0:%.*]] = shufflevector <4 x float> [[A]], <4 x float> [[B]], <4 x i32> <i32 0, i32 1, i32 4, i32 5>
; CHECK-NEXT: [[X1:%.*]] = shufflevector <4 x float> [[A]], <4 x float> [[B]], <4 x i32> <i32 2, i32 3, i32 6, i32 7>
; CHECK-NEXT: [[X2:%.*]] = shufflevector <4 x float> [[C]], <4 x float> [[D]], <4 x i32> <i32 0, i32 1, i32 4, i32 5>
; CHECK-NEXT: [[X3:%.*]] = shufflevector <4 x float> [[C]], <4 x float> [[D]], <4 x i32> <i32 2, i32 3, i32 6, i32 7>
; CHECK-NEXT: fadd <4 x float> {{%.*}}, [[X0]]
; CHECK-NEXT: fadd <4 x float> {{%.*}}, [[X1]]
; CHECK-NEXT: fadd <4 x float> {{%.*}}, [[X2]]
; CHECK-NEXT: fadd <4 x float> {{%.*}}, [[X3]]
; The rest:
; CHECK: call <4 x float> @llvm.masked.gather
; CHECK-NOT: @llvm.masked.gather
; CHECK: ret void
define void @k(<4 x ptr> %rows, ptr %out, i64 %n) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi <4 x float> [ zeroinitializer, %entry ], [ %sum, %loop ]
  %place = getelementptr float, <4 x ptr> %rows, i64 %j
  %x = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %place, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %sum = fadd <4 x float> %s, %x
  %next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  store <4 x float> %sum, ptr %out
  ret void
}
declare <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x float>)
