; What all work-items ask alike ends the row before it begins, also where each asks something of its own in the same
; test.
; RUN: us-opt -passes=ask_before_rows -kernel=k %s | FileCheck %s
; RUN: us-opt -passes=ask_before_rows -kernel=stores %s | FileCheck %s --check-prefix=STORES
; RUN: us-opt -passes=ask_before_rows -kernel=later %s | FileCheck %s --check-prefix=LATER

; CHECK-LABEL: @k
; CHECK: entry:
; CHECK: [[END:%.*]] = freeze i1 %alike
; CHECK: br i1 [[END]], label %done, label %items
; CHECK: items:
; CHECK: [[HOLE:%.*]] = icmp eq i32 %x, %hole
; CHECK: br i1 [[HOLE]], label %end, label %body
define void @k(ptr %out, i32 %first, i32 %count, i32 %hole, i1 %alike) {
entry:
  br label %items
items:
  %i = phi i32 [ 0, %entry ], [ %i.next, %end ]
  %x = phi i32 [ %first, %entry ], [ %x.next, %end ]
  %own = icmp eq i32 %x, %hole
  %ends = select i1 %own, i1 true, i1 %alike
  br i1 %ends, label %end, label %body
body:
  %place = sext i32 %x to i64
  %to = getelementptr i32, ptr %out, i64 %place
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

; Each has stored something before.
; STORES-LABEL: @stores
; STORES-NOT: freeze
; STORES: br i1 %alike, label %end, label %body
define void @stores(ptr %out, i32 %count, i1 %alike) {
entry:
  br label %items
items:
  %i = phi i32 [ 0, %entry ], [ %i.next, %end ]
  %place = sext i32 %i to i64
  %to = getelementptr i32, ptr %out, i64 %place
  store i32 0, ptr %to
  br i1 %alike, label %end, label %body
body:
  store i32 %i, ptr %to
  br label %end
end:
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; Each stores something afterwards.
; LATER-LABEL: @later
; LATER-NOT: freeze
; LATER: br i1 %alike, label %end, label %body
define void @later(ptr %out, i32 %count, i1 %alike) {
entry:
  br label %items
items:
  %i = phi i32 [ 0, %entry ], [ %i.next, %end ]
  %place = sext i32 %i to i64
  %to = getelementptr i32, ptr %out, i64 %place
  br i1 %alike, label %end, label %body
body:
  br label %end
end:
  %value = phi i32 [ 0, %items ], [ %i, %body ]
  store i32 %value, ptr %to
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
