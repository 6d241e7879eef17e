; LLVM makes of "x < 1" that x is 0. Between the borders no work-item is at an edge; and what all work-items of the row
; ask alike before they do anything is asked once, before their loop.
; RUN: us-opt -passes=split_at_borders,ask_before_rows -kernel=k -target=avx2 %s | FileCheck %s
; RUN: us-opt -passes=split_at_borders,ask_before_rows -kernel=stores -target=avx2 %s | FileCheck %s --check-prefix=STORES

; CHECK-LABEL: @k
; CHECK: inside:
; CHECK: [[TOP:%.*]] = freeze i1 %top
; CHECK: [[BOTTOM:%.*]] = freeze i1 %bottom
; CHECK: [[NONE:%.*]] = or i1 [[TOP]], [[BOTTOM]]
; CHECK: br i1 [[NONE]], label %part.done, label %items.inside
; CHECK: items:
; CHECK: icmp eq i32 %x, 0
; CHECK: icmp eq i32 %x, %last
; CHECK: items.inside:
; CHECK-NOT: icmp eq
; CHECK: br label %row.inside
; CHECK: row.inside:
; CHECK-NOT: icmp eq
; CHECK: br label %body.inside
define void @k(ptr %out, i32 %first, i32 %count, i32 %w, i1 %top, i1 %bottom) {
entry:
  %last = add i32 %w, -1
  br label %items
items:
  %i = phi i32 [ 0, %entry ], [ %i.next, %end ]
  %x = phi i32 [ %first, %entry ], [ %x.next, %end ]
  %left = icmp eq i32 %x, 0
  %before = select i1 %left, i1 true, i1 %top
  br i1 %before, label %end, label %row
row:
  %right = icmp eq i32 %x, %last
  %behind = select i1 %right, i1 true, i1 %bottom
  br i1 %behind, label %end, label %body
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

; A test behind a store stays where it is: the store is of work-items that the test ends.
; STORES-LABEL: define void @stores(
; STORES: items.inside:
; STORES: store i32 0
; STORES: br i1 {{.*}}, label %end.inside, label %body.inside
define void @stores(ptr %out, i32 %first, i32 %count, i1 %top) {
entry:
  br label %items
items:
  %i = phi i32 [ 0, %entry ], [ %i.next, %end ]
  %x = phi i32 [ %first, %entry ], [ %x.next, %end ]
  %own = sext i32 %x to i64
  %to = getelementptr i32, ptr %out, i64 %own
  store i32 0, ptr %to
  %left = icmp eq i32 %x, 0
  %before = select i1 %left, i1 true, i1 %top
  br i1 %before, label %end, label %body
body:
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
