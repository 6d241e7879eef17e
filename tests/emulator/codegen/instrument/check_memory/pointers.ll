; A pointer that a loop moves keeps the bounds it began with; of two, the bounds go with the choice; one that comes from
; memory is looked up by its address.
; RUN: us-opt -passes=check_memory -checks=memory -kernel=k %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define spir_kernel void @k(
; CHECK:      loop:
; CHECK:      %[[BEGIN:.*]] = phi i64 [ %{{.*}}, %entry ], [ %[[BEGIN]], %{{.*}} ]
; CHECK-NEXT: %[[SIZE:.*]] = phi i64 [ %{{.*}}, %entry ], [ %[[SIZE]], %{{.*}} ]
; CHECK:      sub i64 %{{.*}}, %[[BEGIN]]
; CHECK:      end:
; CHECK:      select i1 %c, i64 %{{.*}}, i64 %{{.*}}
; CHECK:      select i1 %c, i64 %{{.*}}, i64 %{{.*}}
; CHECK:      call i64 @us.bounds_begin(i64 %{{.*}})
; CHECK:      call i64 @us.bounds_size(i64 %{{.*}})
define spir_kernel void @k(ptr addrspace(1) align 4 %a, ptr addrspace(1) align 8 %b, i1 %c) !kernel_arg_addr_space !0 !kernel_arg_base_type !1 !kernel_arg_type_qual !2 {
entry:
  br label %loop
loop:
  %p = phi ptr addrspace(1) [ %a, %entry ], [ %next, %loop ]
  %n = phi i32 [ 0, %entry ], [ %more, %loop ]
  store i32 %n, ptr addrspace(1) %p, align 4
  %next = getelementptr inbounds i32, ptr addrspace(1) %p, i64 1
  %more = add i32 %n, 1
  %again = icmp ult i32 %more, 10
  br i1 %again, label %loop, label %end
end:
  %chosen = select i1 %c, ptr addrspace(1) %a, ptr addrspace(1) %b
  store i32 1, ptr addrspace(1) %chosen, align 4
  %loaded = load ptr addrspace(1), ptr addrspace(1) %b, align 8
  store i32 2, ptr addrspace(1) %loaded, align 4
  ret void
}
!0 = !{i32 1, i32 1, i32 0}
!1 = !{!"int*", !"int**", !"bool"}
!2 = !{!"", !"", !""}
