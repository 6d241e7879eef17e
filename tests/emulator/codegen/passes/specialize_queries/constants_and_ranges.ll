; What the specialization knows becomes a constant; ids get a range.
; RUN: us-opt -passes=specialize_queries -kernel=k -local-size=64 -work-dimensions=1 -small-index -zero-offset %s | FileCheck %s
; RUN: us-opt -passes=specialize_queries -kernel=k -local-size=64 -work-dimensions=1 -ragged %s | FileCheck %s --check-prefix=RAGGED

declare i64 @us.global_id(i32)
declare i64 @us.local_id(i32)
declare i64 @us.local_size(i32)
declare i64 @us.enqueued_local_size(i32)
declare i64 @us.global_offset(i32)
declare void @use(i64, i64, i64, i64, i64, i64)

; CHECK-LABEL: @k
; RAGGED-LABEL: @k
define void @k() {
  ; CHECK: [[ID:%.*]] = call i64 @us.global_id(i32 0), !range [[SMALL:![0-9]+]]
  ; RAGGED: call i64 @us.global_id(i32 0){{$}}
  %x = call i64 @us.global_id(i32 0)
  %y = call i64 @us.global_id(i32 1)
  ; CHECK: [[LOCAL:%.*]] = call i64 @us.local_id(i32 0), !range [[GROUP:![0-9]+]]
  %l = call i64 @us.local_id(i32 0)
  ; RAGGED: [[SIZE:%.*]] = call i64 @us.local_size(i32 0), !range
  %s = call i64 @us.local_size(i32 0)
  %e = call i64 @us.enqueued_local_size(i32 0)
  %o = call i64 @us.global_offset(i32 0)
  ; CHECK: call void @use(i64 [[ID]], i64 0, i64 [[LOCAL]], i64 64, i64 64, i64 0)
  ; RAGGED: call void @use(i64 %{{.*}}, i64 0, i64 %{{.*}}, i64 [[SIZE]], i64 64, i64 %{{.*}})
  call void @use(i64 %x, i64 %y, i64 %l, i64 %s, i64 %e, i64 %o)
  ret void
}
; CHECK-DAG: [[SMALL]] = !{i64 0, i64 2147483648}
; CHECK-DAG: [[GROUP]] = !{i64 0, i64 64}
