; Both conditions become limits.
; RUN: us-opt -passes=limit_work_items -kernel=k -small-index %s | FileCheck %s

declare i64 @us.global_id(i32) #0
declare ptr @us.launch() #0

; CHECK-LABEL: @k
define void @k() {
  %launch = call ptr @us.launch()
  %n = load i32, ptr %launch, !invariant.load !0
  %x = call i64 @us.global_id(i32 0)
  %y = call i64 @us.global_id(i32 1)
  %i = trunc i64 %x to i32
  %out = icmp sge i32 %i, %n
  %far = icmp ugt i64 %y, 99
  ; CHECK-DAG: [[BOUND:%.*]] = call i32 @llvm.smax.i32(i32 %n, i32 0)
  ; CHECK-DAG: [[WIDE:%.*]] = zext i32 [[BOUND]] to i64
  ; CHECK-DAG: call void @us.limit(i32 0, i64 [[WIDE]])
  ; CHECK-DAG: call void @us.limit(i32 1, i64 100)
  ; CHECK-NOT: br i1
  %leave = or i1 %out, %far
  br i1 %leave, label %end, label %body
body:
  ; CHECK: store i32 1
  store i32 1, ptr %launch
  br label %end
end:
  ret void
}
attributes #0 = { nounwind willreturn speculatable memory(none) }
!0 = !{}
