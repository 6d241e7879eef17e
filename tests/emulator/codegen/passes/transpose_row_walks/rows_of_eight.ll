; Blocks of eight by eight: within parts of four elements by what interleaves elements and then pairs of them, for which
; processors have instructions; at the end the halves of rows that are four apart change places.
; RUN: us-opt -passes=transpose_row_walks -kernel=k -target=avx2 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK-COUNT-8: load <8 x float>
; CHECK-COUNT-2: shufflevector {{.*}} <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
; CHECK-COUNT-2: shufflevector {{.*}} <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
; CHECK-NEXT: shufflevector {{.*}} <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
; CHECK-NEXT: shufflevector {{.*}} <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
; CHECK: [[LOW:%.*]] = shufflevector {{.*}} <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
; CHECK-NEXT: [[HIGH:%.*]] = shufflevector {{.*}} <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
; CHECK: fadd <8 x float> {{%.*}}, [[LOW]]
; CHECK: fadd <8 x float> {{%.*}}, [[HIGH]]
define void @k(<8 x ptr> %rows, ptr %out, i64 %n) {
entry:
  %even = shl i64 %n, 3
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi <8 x float> [ zeroinitializer, %entry ], [ %sum, %loop ]
  %place = getelementptr float, <8 x ptr> %rows, i64 %j
  %x = call <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr> %place, i32 4, <8 x i1> splat (i1 true), <8 x float> poison)
  %sum = fadd <8 x float> %s, %x
  %next = add nuw nsw i64 %j, 1
  %more = icmp ult i64 %next, %even
  br i1 %more, label %loop, label %done
done:
  store <8 x float> %sum, ptr %out
  ret void
}
declare <8 x float> @llvm.masked.gather.v8f32.v8p0(<8 x ptr>, i32, <8 x i1>, <8 x float>)
