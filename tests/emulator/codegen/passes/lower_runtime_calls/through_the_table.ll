; RUN: us-opt -passes=lower_runtime_calls -kernel=k %s | FileCheck %s

declare i64 @us.clock()
declare void @us.trap(i32)
declare i32 @us.printf(ptr addrspace(2), ptr, i32)
@format = internal addrspace(2) constant [2 x i8] c"a\00"

; CHECK-LABEL: @k
define i64 @k(ptr %record) {
  ; CHECK: call i64 @us.local_id(i32 2)
  ; CHECK: [[PRINT:%[0-9]+]] = load ptr, ptr %{{[0-9]+}}, align {{.*}}!invariant.load
  ; CHECK: call i32 [[PRINT]](ptr %{{.*}}, i64 %{{.*}}, ptr addrspacecast (ptr addrspace(2) @format to ptr), ptr %record, i32 8)
  ; CHECK: us.launch
  %p = call i32 @us.printf(ptr addrspace(2) @format, ptr %record, i32 8)
  ; CHECK: [[CLOCK:%[0-9]+]] = load ptr, ptr %{{[0-9]+}}, align {{.*}}!invariant.load
  ; CHECK: [[NOW:%.*]] = call i64 [[CLOCK]]()
  %t = call i64 @us.clock()
  %c = icmp eq i64 %t, 0
  br i1 %c, label %bad, label %good
bad:
  ; CHECK: call void %{{.*}}(ptr %{{.*}}, i32 3) [[TRAP:#[0-9]+]]
  call void @us.trap(i32 3)
  unreachable
good:
  ; CHECK: ret i64 [[NOW]]
  ret i64 %t
}
; CHECK: attributes [[TRAP]] = { noreturn nounwind }
