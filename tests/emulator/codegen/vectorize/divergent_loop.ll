; Each work-item leaves the loop when it likes: the loop goes on while any is in it, and a value that is used behind it
; is that of the turn in which its work-item left, the last one in which it was there.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: wide:
; CHECK: [[X:%.*]] = load <16 x i32>, ptr %from
; CHECK: turn.wide:
; CHECK-DAG: [[KEPT:%.*]] = phi <16 x i32> [ poison, {{.*}} ], [ [[KEEPS:%.*]], %turn.wide ]
; CHECK-DAG: [[MASK:%.*]] = phi <16 x i1> [ {{.*}} ], [ [[GOES_ON:%.*]], %turn.wide ]
; CHECK: [[HALF:%.*]] = lshr <16 x i32>
; CHECK: [[STOPS:%.*]] = icmp eq <16 x i32> [[HALF]], zeroinitializer
; CHECK: [[KEEPS]] = select <16 x i1> [[MASK]], <16 x i32> {{.*}}, <16 x i32> [[KEPT]]
; CHECK: [[GOES:%.*]] = xor <16 x i1> [[STOPS]]
; CHECK: [[GOES_ON]] = select <16 x i1> [[MASK]], <16 x i1> [[GOES]], <16 x i1> zeroinitializer
; CHECK: [[BITS:%.*]] = bitcast <16 x i1> [[GOES_ON]] to i16
; CHECK: %any = icmp ne i16 [[BITS]], 0
; CHECK: br i1 %any, label %turn.wide,
; CHECK: store <16 x i32>
; CHECK: br i1 %{{.*}}, label %wide, label %wide.done, !llvm.loop [[VECTORS:![0-9]+]]
; CHECK: [[VECTORS]] = distinct !{[[VECTORS]], [[MARK:![0-9]+]]}
; CHECK: [[MARK]] = !{!"us.of_vectors", i32 1}
define void @k(ptr %in, ptr %out) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %from = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %from
  br label %turn
turn:
  %rest = phi i32 [ %x, %items ], [ %half, %turn ]
  %count = phi i32 [ 0, %items ], [ %one, %turn ]
  %half = lshr i32 %rest, 1
  %one = add i32 %count, 1
  %stops = icmp eq i32 %half, 0
  br i1 %stops, label %end, label %turn
end:
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %one, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
