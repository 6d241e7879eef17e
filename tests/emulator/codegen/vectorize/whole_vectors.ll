; Vectors side by side, of which no element is asked for, stay whole: those of all work-items are one vector. Under a mask
; each of its truth values is there for all elements.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: [[BITS:%.*]] = shufflevector <16 x i1> {{.*}}, <64 x i32> <i32 0, i32 0, i32 0, i32 0, i32 1,
; CHECK: [[X:%.*]] = call <64 x i8> @llvm.masked.load.v64i8.p0(ptr {{.*}}, i32 4, <64 x i1> [[BITS]]
; CHECK: [[LONG:%.*]] = zext <64 x i8> [[X]] to <64 x i32>
; CHECK: [[SUM:%.*]] = add <64 x i32> [[LONG]], <i32 1, i32 2, i32 3, i32 4, i32 1,
; CHECK: trunc <64 x i32> {{.*}} to <64 x i8>
; CHECK: call void @llvm.masked.store.v64i8.p0
define void @k(ptr %in, ptr %out, ptr %guards) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %where = getelementptr i32, ptr %guards, i64 %i
  %guard = load i32, ptr %where
  %is = icmp sgt i32 %guard, 0
  br i1 %is, label %inside, label %end
inside:
  %from = getelementptr <4 x i8>, ptr %in, i64 %i
  %x = load <4 x i8>, ptr %from, align 4
  %long = zext <4 x i8> %x to <4 x i32>
  %sum = add <4 x i32> %long, <i32 1, i32 2, i32 3, i32 4>
  %short = trunc <4 x i32> %sum to <4 x i8>
  %to = getelementptr <4 x i8>, ptr %out, i64 %i
  store <4 x i8> %short, ptr %to, align 4
  br label %end
end:
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
