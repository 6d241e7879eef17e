; A loop that begins at a work-item's number, but turns as often for all of them, counts its turns; one that does not,
; or that does already, stays.
; RUN: us-opt -passes=settle_turns -kernel=k %s | FileCheck %s

declare i64 @us.local_id(i32)

; CHECK-LABEL: @k
define void @k(ptr %local, i64 %n) {
entry:
  %id = call i64 @us.local_id(i32 0), !range !0
  br label %alike
alike:
  ; CHECK: alike:
  ; CHECK: %turn = phi i64 [ [[NEXT:%.*]], %alike ], [ 0, %entry ]
  ; CHECK: [[NEXT]] = add nuw nsw i64 %turn, 1
  ; CHECK: [[MORE:%.*]] = icmp ne i64 %turn, 3
  ; CHECK: br i1 [[MORE]], label %alike, label %apart
  %i = phi i64 [ %id, %entry ], [ %i.next, %alike ]
  %at = getelementptr float, ptr %local, i64 %i
  store float 0.0, ptr %at
  %i.next = add nuw nsw i64 %i, 256
  %more = icmp ult i64 %i.next, 1024
  br i1 %more, label %alike, label %apart
apart:
  ; CHECK: apart:
  ; CHECK-NOT: phi i64 {{.*}} 0,
  ; CHECK: br i1 %j.more
  %j = phi i64 [ %id, %alike ], [ %j.next, %apart ]
  %to = getelementptr float, ptr %local, i64 %j
  store float 1.0, ptr %to
  %j.next = add nuw nsw i64 %j, 256
  %j.more = icmp ult i64 %j.next, 1000
  br i1 %j.more, label %apart, label %exit
exit:
  ret void
}
!0 = !{i64 0, i64 256}
