; Only some work-items come to what a guard stands before. A pass that takes the guard away takes the analysis along, and
; one that changes nothing leaves it.
; RUN: us-opt -kernel=k -passes='function(print<us-divergent-blocks>),limit_work_items,function(print<us-divergent-blocks>)' \
; RUN:   %s 2>&1 >/dev/null | FileCheck %s
declare i64 @us.global_id(i32) nounwind speculatable willreturn memory(none)

; CHECK-LABEL: us-divergent-blocks of k:
; CHECK-NEXT:  %body
; CHECK-NEXT:  us-divergent-blocks of k:
; CHECK-NOT:   %
define void @k(ptr addrspace(1) %out, i64 %size) {
entry:
  %id = call i64 @us.global_id(i32 0)
  %inside = icmp ult i64 %id, %size
  br i1 %inside, label %body, label %end
body:
  %place = getelementptr i64, ptr addrspace(1) %out, i64 %id
  store i64 %id, ptr addrspace(1) %place
  br label %end
end:
  ret void
}
