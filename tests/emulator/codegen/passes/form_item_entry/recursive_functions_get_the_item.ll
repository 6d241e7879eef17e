; RUN: us-opt -passes=form_item_entry -kernel=k -tier=fiber %s | FileCheck %s

declare i64 @us.local_id(i32)
declare void @us.barrier(i32, i32)

; What asks for nothing stays as it is.
; CHECK: define internal i64 @plain(i64 %x)
define internal i64 @plain(i64 %x) {
  %r = call i64 @plain(i64 %x)
  ret i64 %r
}

; CHECK: define dso_local void @k(ptr {{.*}}%item)
; CHECK: call i64 @asks(ptr %item, i64 3)
; CHECK: call i64 @plain(i64 4)
define void @k() {
  %a = call i64 @asks(i64 3)
  %b = call i64 @plain(i64 4)
  ret void
}

; CHECK: define internal i64 @asks(ptr {{.*}}[[ITEM:%[a-z0-9]+]], i64 [[X:%[a-z0-9]+]])
; CHECK: [[ID:%.*]] = load i64, ptr
; CHECK: call void %{{.*}}(ptr [[ITEM]], i32 1, i32 1, i32 0)
; CHECK: [[SUM:%.*]] = add i64 [[X]], [[ID]]
; CHECK: call i64 @between(ptr [[ITEM]], i64 [[SUM]])
define internal i64 @asks(i64 %x) {
  %id = call i64 @us.local_id(i32 0)
  call void @us.barrier(i32 1, i32 1)
  %sum = add i64 %x, %id
  %r = call i64 @between(i64 %sum)
  ret i64 %r
}

; It calls one that asks.
; CHECK: define internal i64 @between(ptr {{.*}}[[ITEM:%[a-z0-9]+]], i64
; CHECK: call i64 @asks(ptr [[ITEM]], i64
define internal i64 @between(i64 %x) {
  %r = call i64 @asks(i64 %x)
  ret i64 %r
}
