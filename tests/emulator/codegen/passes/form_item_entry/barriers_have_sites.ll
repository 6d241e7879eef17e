; Ids come from the contexts; each barrier is a call through the table with a number of its own.
; RUN: us-opt -passes=form_item_entry -kernel=k -tier=fiber %s | FileCheck %s

declare i64 @us.local_id(i32)
declare void @us.barrier(i32, i32)
declare i32 @us.sub_group_sync(i32, i32)

; CHECK-LABEL: define dso_local void @k(ptr {{.*}}%item)
define void @k() {
  ; CHECK: %group = load ptr, ptr %{{.*}}, !invariant.load
  ; CHECK: %launch = load ptr, ptr %{{.*}}, !invariant.load
  ; CHECK: [[FIELD:%.*]] = getelementptr inbounds i8, ptr %item, i64 24
  ; CHECK: load i64, ptr [[FIELD]]
  %i = call i64 @us.local_id(i32 1)
  ; CHECK: call void %{{.*}}(ptr %item, i32 1, i32 1, i32 0)
  call void @us.barrier(i32 1, i32 1)
  ; CHECK: call void %{{.*}}(ptr %item, i32 2, i32 1, i32 1)
  call void @us.barrier(i32 2, i32 1)
  ; CHECK: call i32 %{{.*}}(ptr %item, i32 1, i32 -1, i32 0)
  %m = call i32 @us.sub_group_sync(i32 1, i32 -1)
  ; CHECK-NOT: us.
  ret void
}
