; The vote that nobody looks at goes.
; RUN: us-opt -passes=drop_unused_votes -kernel=k %s | FileCheck %s
declare i32 @us.votes(i32)
; CHECK-LABEL: define void @k(
define void @k(ptr %out, i32 %one, i32 %other) {
  ; CHECK: %kept = call i32 @us.votes(i32 %one)
  %kept = call i32 @us.votes(i32 %one)
  %unused = call i32 @us.votes(i32 %other)
  ; CHECK-NOT: @us.votes
  store i32 %kept, ptr %out
  ret void
}
