; Elements that are two apart are no row's next ones.
; RUN: us-opt -passes=transpose_row_walks -kernel=k -target=avx2 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: call <4 x float> @llvm.masked.gather
; CHECK-NOT: load
; CHECK: ret void
define void @k(<4 x ptr> %rows, ptr %out, i64 %n, <4 x i1> %asked) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi <4 x float> [ zeroinitializer, %entry ], [ %sum, %loop ]
  %place = getelementptr i64, <4 x ptr> %rows, i64 %j
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
