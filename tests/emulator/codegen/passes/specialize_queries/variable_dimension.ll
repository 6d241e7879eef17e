; A dimension that is not a constant becomes a choice between the three queries.
; RUN: us-opt -passes=specialize_queries -kernel=k -local-size=8,8,8 -work-dimensions=2 %s | FileCheck %s

declare i64 @us.global_id(i32)

; CHECK-LABEL: @k
define i64 @k(i32 %d) {
  ; CHECK: [[Y:%.*]] = call i64 @us.global_id(i32 1)
  ; CHECK: [[YZ:%.*]] = select i1 %{{.*}}, i64 [[Y]], i64 0
  ; CHECK: [[X:%.*]] = call i64 @us.global_id(i32 0)
  ; CHECK: [[XYZ:%.*]] = select i1 %{{.*}}, i64 [[X]], i64 [[YZ]]
  %i = call i64 @us.global_id(i32 %d)
  ; CHECK: ret i64 [[XYZ]]
  ret i64 %i
}
