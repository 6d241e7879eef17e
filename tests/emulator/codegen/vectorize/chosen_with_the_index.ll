; An array of too many elements for registers: what is read at the index that a loop chooses is chosen with it, so the
; loop reads only what lies side by side.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: items.wide:
; CHECK: [[FIRST:%.*]] = load <16 x i32>
; CHECK: select.wide:
; CHECK: [[BEST:%.*]] = phi <16 x i32> [ [[FIRST]], %items.wide ], [ [[CHOSEN:%.*]], %select.wide ]
; CHECK-NOT: gather
; CHECK: [[ONE:%.*]] = load <16 x i32>
; CHECK-NOT: gather
; CHECK: [[LESS:%.*]] = icmp ult <16 x i32> [[ONE]], [[BEST]]
; CHECK: [[CHOSEN]] = select <16 x i1> [[LESS]], <16 x i32> [[ONE]], <16 x i32> [[BEST]]
define void @k(ptr %out) {
entry:
  %array = alloca [100 x i32], !us.private !2
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %x = trunc i64 %i to i32
  store i32 %x, ptr %array
  br label %select
select:
  %least = phi i32 [ 0, %items ], [ %lesser, %select ]
  %s = phi i64 [ 1, %items ], [ %s.next, %select ]
  %at = getelementptr i32, ptr %array, i64 %s
  %y = load i32, ptr %at
  %least.long = sext i32 %least to i64
  %at.least = getelementptr i32, ptr %array, i64 %least.long
  %z = load i32, ptr %at.least
  %less = icmp ult i32 %y, %z
  %s.short = trunc nuw nsw i64 %s to i32
  %lesser = select i1 %less, i32 %s.short, i32 %least
  %s.next = add nuw nsw i64 %s, 1
  %s.more = icmp ult i64 %s.next, 100
  br i1 %s.more, label %select, label %end
end:
  %goes = getelementptr i32, ptr %out, i64 %i
  store i32 %lesser, ptr %goes
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
!2 = !{}
