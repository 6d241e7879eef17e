; A yield is a call through the table, with the number of its place.
; RUN: us-opt -passes=form_item_entry -kernel=k -tier=fiber %s | FileCheck %s

declare void @us.yield()

; CHECK-LABEL: define dso_local void @k(ptr {{.*}}%item)
define void @k() {
entry:
  br label %first
; CHECK: first:
; CHECK: call void %{{.*}}(ptr %item, i32 0)
first:
  %a = load atomic i32, ptr null acquire, align 4
  %x = icmp eq i32 %a, 0
  call void @us.yield()
  br i1 %x, label %first, label %second
; CHECK: second:
; CHECK: call void %{{.*}}(ptr %item, i32 1)
second:
  %b = load atomic i32, ptr null acquire, align 4
  %y = icmp eq i32 %b, 1
  call void @us.yield()
  br i1 %y, label %second, label %exit
exit:
  ret void
}
