; Components of vectors that only some work-items access: their mask, each of its bits as often as there are components.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: [[MASK:%.*]] = shufflevector <16 x i1> [[LANES:%.*]], <16 x i1> poison, <32 x i32> <i32 0, i32 0, i32 1, i32 1,
; CHECK: call <32 x float> @llvm.masked.load.v32f32.p0(ptr {{.*}}, i32 8, <32 x i1> [[MASK]]
; CHECK: [[MASK:%.*]] = shufflevector <16 x i1> [[LANES]], <16 x i1> poison, <32 x i32> <i32 0, i32 0, i32 1, i32 1,
; CHECK: call void @llvm.masked.store.v32f32.p0(<32 x float> {{.*}}, ptr {{.*}}, i32 8, <32 x i1> [[MASK]]
define void @k(ptr %in, ptr %out) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %p = getelementptr <2 x float>, ptr %in, i64 %i
  %low = and i64 %i, 21
  %some = icmp eq i64 %low, 0
  br i1 %some, label %copy, label %latch
copy:
  %x = load <2 x float>, ptr %p, align 8
  %to = getelementptr <2 x float>, ptr %out, i64 %i
  store <2 x float> %x, ptr %to, align 8
  br label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
