; Work-items at the ends of a row do nothing. Between them the test of the small constant and that of the bound are known.
; Where masks cost nothing that is not worth a second loop.
; RUN: us-opt -passes=split_at_borders -kernel=k -target=avx2 %s | FileCheck %s
; RUN: us-opt -passes=split_at_borders -kernel=k -target=avx512 %s | FileCheck %s --check-prefix=MASKED

; CHECK-LABEL: @k
; CHECK: items:
; CHECK: icmp slt i32 %x, 1
; CHECK: icmp sge i32 %x, %last
; CHECK: items.inside:
; CHECK: [[OUTSIDE:%.*]] = select i1 false, i1 true, i1 false
; CHECK: br i1 [[OUTSIDE]], label %end.inside, label %body.inside
; MASKED-LABEL: @k
; MASKED-NOT: inside
define void @k(ptr %out, i32 %first, i32 %count, i32 %last) {
entry:
  br label %items
items:
  %i = phi i32 [ 0, %entry ], [ %i.next, %end ]
  %x = phi i32 [ %first, %entry ], [ %x.next, %end ]
  %before = icmp slt i32 %x, 1
  %behind = icmp sge i32 %x, %last
  %outside = select i1 %before, i1 true, i1 %behind
  br i1 %outside, label %end, label %body
body:
  %own = sext i32 %x to i64
  %to = getelementptr i32, ptr %out, i64 %own
  store i32 %x, ptr %to
  br label %end
end:
  %i.next = add nuw nsw i32 %i, 1
  %x.next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %i.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
