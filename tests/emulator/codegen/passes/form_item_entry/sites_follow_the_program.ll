; Barriers are numbered in the order in which they are reached, wherever their blocks stand.
; RUN: us-opt -passes=form_item_entry -kernel=k -tier=fiber %s | FileCheck %s

declare i64 @us.local_id(i32)
declare i32 @us.sub_group_sync(i32, i32)

; CHECK-LABEL: define dso_local void @k(ptr {{.*}}%item)
define void @k() {
  %i = call i64 @us.local_id(i32 0)
  %c = icmp eq i64 %i, 0
  br i1 %c, label %branch, label %join

; CHECK: join:
; CHECK: call i32 %{{.*}}(ptr %item, i32 2, i32 -1, i32 1)
; CHECK: call i32 %{{.*}}(ptr %item, i32 3, i32 -1, i32 2)
join:
  %a = call i32 @us.sub_group_sync(i32 2, i32 -1)
  %b = call i32 @us.sub_group_sync(i32 3, i32 -1)
  ret void

; CHECK: branch:
; CHECK: call i32 %{{.*}}(ptr %item, i32 1, i32 -1, i32 0)
branch:
  %d = call i32 @us.sub_group_sync(i32 1, i32 -1)
  br label %join
}
