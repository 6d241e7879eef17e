; An atomic operation is done by one work-item after the other, in their order, and only by those that come there.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: lane:
; CHECK: atomicrmw add ptr {{%.*}}, i32
; CHECK: lane.done:
; CHECK-COUNT-15: atomicrmw add ptr {{%.*}}, i32
; CHECK-NOT: atomicrmw
; CHECK: wide.latch:
define void @k(ptr %in, ptr %out) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %from = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %from
  %some = icmp ugt i32 %x, 3
  br i1 %some, label %adds, label %end
adds:
  %place = getelementptr i32, ptr %out, i32 %x
  %old = atomicrmw add ptr %place, i32 %x monotonic
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
