; Atomic operations of all work-items on one place are one. What each of them finds there is what those before it leave.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: wide:
; CHECK: [[X:%.*]] = load <16 x i32>
; CHECK: [[SUM:%.*]] = call i32 @llvm.vector.reduce.add.v16i32(<16 x i32> [[X]])
; CHECK: atomicrmw sub ptr %out, i32 [[SUM]] seq_cst
; CHECK: [[SOME:%.*]] = icmp ugt <16 x i32> [[X]], <i32 3, {{.*}}
; Who takes no part brings what changes nothing.
; CHECK: [[THEIRS:%.*]] = select <16 x i1> [[SOME]], <16 x i32> [[X]], <16 x i32> <i32 2147483647, {{.*}}
; CHECK: [[LEAST:%.*]] = call i32 @llvm.vector.reduce.smin.v16i32(<16 x i32> [[THEIRS]])
; CHECK: atomicrmw min ptr %least, i32 [[LEAST]] monotonic
; The same of each is their number times that.
; CHECK: [[MANY:%.*]] = call i16 @llvm.ctpop.i16
; CHECK: [[ALL:%.*]] = mul i32 5, {{%.*}}
; CHECK: [[BEFORE:%.*]] = call <16 x i16> @llvm.ctpop.v16i16
; CHECK: [[FIRST:%.*]] = atomicrmw add ptr %count, i32 {{%.*}} monotonic
; CHECK: [[SPLAT:%.*]] = shufflevector
; CHECK: [[PLACE:%.*]] = add <16 x i32> [[SPLAT]]
; CHECK: call void @llvm.masked.scatter
; CHECK-NOT: atomicrmw
; CHECK: wide.latch:
define void @k(ptr %in, ptr %out, ptr %least, ptr %count, ptr %list) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %from = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %from
  %unused = atomicrmw sub ptr %out, i32 %x seq_cst
  %some = icmp ugt i32 %x, 3
  br i1 %some, label %adds, label %end
adds:
  %nobody = atomicrmw min ptr %least, i32 %x monotonic
  %old = atomicrmw add ptr %count, i32 5 monotonic
  %place = getelementptr i32, ptr %list, i32 %old
  store i32 %x, ptr %place
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
