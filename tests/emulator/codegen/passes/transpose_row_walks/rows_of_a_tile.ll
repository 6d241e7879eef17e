; Columns of a tile in local memory are stored to a buffer, two turns of a loop that was unrolled: the rows are transposed,
; and no turn is left over. Not if what is written may be the tile.
; RUN: us-opt -passes=transpose_row_walks -kernel=k -target=avx2 %s | FileCheck %s
; RUN: us-opt -passes=transpose_row_walks -kernel=same -target=avx2 %s | FileCheck %s --check-prefix=SAME

; CHECK-LABEL: @k
; CHECK-NOT: llvm.masked.gather
; CHECK: [[ROWS:%.*]] = getelementptr [4 x [17 x float]], ptr addrspace(3) %t, i64 0, <4 x i64> <i64 0, i64 1, i64 2, i64 3>, i64 0
; CHECK-COUNT-4: extractelement <4 x ptr addrspace(3)> [[ROWS]]
; CHECK-COUNT-4: load <4 x float>, ptr addrspace(3)
; CHECK-NOT: load
; CHECK-COUNT-4: store <4 x float> {{.*}}, ptr addrspace(1)
; CHECK: ret void

; SAME-LABEL: @same
; SAME-COUNT-2: call <4 x float> @llvm.masked.gather
; SAME-NOT: load

define void @k(ptr addrspace(3) %t, ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr [4 x [17 x float]], ptr addrspace(3) %t, i64 0, <4 x i64> <i64 0, i64 1, i64 2, i64 3>, i64 %j
  %x = call <4 x float> @llvm.masked.gather.v4f32.v4p3(<4 x ptr addrspace(3)> %place, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %to = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %j
  store <4 x float> %x, ptr addrspace(1) %to, align 4
  %j1 = or disjoint i64 %j, 1
  %place1 = getelementptr [4 x [17 x float]], ptr addrspace(3) %t, i64 0, <4 x i64> <i64 0, i64 1, i64 2, i64 3>, i64 %j1
  %x1 = call <4 x float> @llvm.masked.gather.v4f32.v4p3(<4 x ptr addrspace(3)> %place1, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %to1 = getelementptr <4 x float>, ptr addrspace(1) %out, i64 %j1
  store <4 x float> %x1, ptr addrspace(1) %to1, align 4
  %next = add nuw nsw i64 %j, 2
  %more = icmp ult i64 %next, 4
  br i1 %more, label %loop, label %done
done:
  ret void
}

define void @same(ptr addrspace(3) %t, ptr addrspace(3) %out) {
entry:
  br label %loop
loop:
  %j = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = getelementptr [4 x [17 x float]], ptr addrspace(3) %t, i64 0, <4 x i64> <i64 0, i64 1, i64 2, i64 3>, i64 %j
  %x = call <4 x float> @llvm.masked.gather.v4f32.v4p3(<4 x ptr addrspace(3)> %place, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %to = getelementptr <4 x float>, ptr addrspace(3) %out, i64 %j
  store <4 x float> %x, ptr addrspace(3) %to, align 4
  %j1 = or disjoint i64 %j, 1
  %place1 = getelementptr [4 x [17 x float]], ptr addrspace(3) %t, i64 0, <4 x i64> <i64 0, i64 1, i64 2, i64 3>, i64 %j1
  %x1 = call <4 x float> @llvm.masked.gather.v4f32.v4p3(<4 x ptr addrspace(3)> %place1, i32 4, <4 x i1> splat (i1 true), <4 x float> poison)
  %to1 = getelementptr <4 x float>, ptr addrspace(3) %out, i64 %j1
  store <4 x float> %x1, ptr addrspace(3) %to1, align 4
  %next = add nuw nsw i64 %j, 2
  %more = icmp ult i64 %next, 4
  br i1 %more, label %loop, label %done
done:
  ret void
}
declare <4 x float> @llvm.masked.gather.v4f32.v4p3(<4 x ptr addrspace(3)>, i32, <4 x i1>, <4 x float>)
