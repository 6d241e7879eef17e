; A loop that lanes leave when they like, or all after so many turns: how many there were is the same for all, so it is
; asked once, and the lanes' mask is of what they ask themselves. What comes first is asked of no lane that has not left.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: turns.wide:
; CHECK: %[[MASK:turns.mask[.0-9]*]] = phi <16 x i1>
; CHECK: %[[COUNT:count.next[0-9]*]] = add i32 %
; CHECK: %[[FEW:few[0-9]*]] = icmp ult i32 %[[COUNT]], 100
; CHECK: %[[STAYS:stays[0-9]*]] = icmp ne <16 x i32> %
; CHECK: %[[ALIKE:[0-9]+]] = freeze i1 %[[FEW]]
; CHECK: %[[LANES:[0-9]+]] = select <16 x i1> %[[MASK]], <16 x i1> %[[STAYS]], <16 x i1> zeroinitializer
; CHECK: %[[BITS:[0-9]+]] = bitcast <16 x i1> %[[LANES]] to i16
; CHECK: %[[ANY:any[0-9]*]] = icmp ne i16 %[[BITS]], 0
; CHECK: %[[ASKED:[0-9]+]] = freeze i1 %[[ANY]]
; CHECK: br i1 %[[ASKED]], label %turns.again, label %latch.wide
; CHECK: turns.again:
; CHECK-NEXT: br i1 %[[ALIKE]], label %turns.wide, label %latch.wide
define void @k(ptr %in, ptr %out) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %from = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %from
  br label %turns
turns:
  %value = phi i32 [ %x, %items ], [ %half, %turns ]
  %count = phi i32 [ 0, %items ], [ %count.next, %turns ]
  %half = lshr i32 %value, 1
  %count.next = add i32 %count, 1
  %few = icmp ult i32 %count.next, 100
  %stays = icmp ne i32 %half, 1
  %goes = select i1 %few, i1 %stays, i1 false
  br i1 %goes, label %turns, label %latch
latch:
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %count.next, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
