; Of a place whose number has bits turned over alike for all, the higher ones choose where what is accessed begins, the
; lower ones the order of the lanes: by one instruction, or by a step for each of them, and then only without masks.
; Where the first work-item's number is no multiple of the lanes, it is a gather.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 -target=sse4.2 %s | FileCheck %s
; RUN: us-opt -passes=vectorize_work_items -kernel=some -vector-plan=1 -target=sse4.2 %s | FileCheck %s --check-prefix=SLOW
; RUN: us-opt -passes=vectorize_work_items -kernel=some -vector-plan=1 -target=avx512 %s | FileCheck %s --check-prefix=QUICK
; RUN: us-opt -passes=vectorize_work_items -kernel=some -vector-plan=1 -target=avx2 %s | FileCheck %s --check-prefix=AVX2
; RUN: us-opt -passes=vectorize_work_items -kernel=shifted -vector-plan=1 -target=avx512 %s | FileCheck %s --check-prefix=SHIFTED

; CHECK-LABEL: @k
; CHECK: [[FIRST:%.*]] = and i64 %turned, -16
; CHECK: [[FROM:%.*]] = xor i64 {{.*}}, [[FIRST]]
; CHECK: [[PLACE:%.*]] = getelementptr i32, ptr %in, i64 [[FROM]]
; CHECK: [[ORDER:%.*]] = and i64 %turned, 15
; CHECK: load <16 x i32>, ptr [[PLACE]]
; CHECK: shufflevector <16 x i32> {{.*}}, <16 x i32> <i32 1, i32 0, i32 3, i32 2,
; CHECK: select i1
; CHECK: shufflevector <16 x i32> {{.*}}, <16 x i32> <i32 8, i32 9, i32 10, i32 11,
; CHECK-NOT: gather
; CHECK: store <16 x i32>
; SHIFTED: call <16 x i32> @llvm.masked.gather
; SLOW-LABEL: @some
; SLOW: masked.scatter
; QUICK-LABEL: @some
; QUICK: [[TURNED:%.*]] = trunc i64 {{%.*}} to i32
; QUICK: [[WITHIN:%.*]] = and i32 [[TURNED]], 15
; QUICK: [[INDEX:%.*]] = xor <16 x i32> {{%.*}}, <i32 0, i32 1, i32 2, i32 3,
; QUICK: call <16 x i32> @llvm.x86.avx512.permvar.si.512(<16 x i32> {{%.*}}, <16 x i32> [[INDEX]])
; QUICK: [[NUMBERS:%.*]] = sext <16 x i1> {{%.*}} to <16 x i32>
; QUICK: [[MASK:%.*]] = call <16 x i32> @llvm.x86.avx512.permvar.si.512(<16 x i32> [[NUMBERS]],
; QUICK: icmp slt <16 x i32> [[MASK]], zeroinitializer
; QUICK: call void @llvm.masked.store.v16i32
; AVX2-LABEL: @some
; AVX2: [[HALVES:%.*]] = select i1 {{%.*}}, <16 x i32>
; AVX2-COUNT-2: call <8 x i32> @llvm.x86.avx2.permd(
; AVX2: call void @llvm.masked.store.v16i32
define void @k(ptr noalias %in, ptr noalias %out, i64 %turned) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %other = xor i64 %i, %turned
  %from = getelementptr i32, ptr %in, i64 %other
  %number = load i32, ptr %from
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %number, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @some(ptr noalias %in, ptr noalias %out, i64 %turned) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %from = getelementptr i32, ptr %in, i64 %i
  %number = load i32, ptr %from
  %asked = icmp sgt i32 %number, 0
  br i1 %asked, label %stored, label %latch
stored:
  %other = xor i64 %i, %turned
  %to = getelementptr i32, ptr %out, i64 %other
  store i32 %number, ptr %to
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @shifted(ptr noalias %in, ptr noalias %out, i64 %turned) {
entry:
  br label %items
items:
  %i = phi i64 [ 3, %entry ], [ %next, %items ]
  %other = xor i64 %i, %turned
  %from = getelementptr i32, ptr %in, i64 %other
  %number = load i32, ptr %from
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %number, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
