; In the loop tier a work-group is a cluster of its own: the barrier is its own, there is one, and its arena is the
; cluster's. The fiber tier asks.
; RUN: us-opt -passes=lower_lone_clusters -kernel=k -tier=loop %s | FileCheck %s
; RUN: us-opt -passes=lower_lone_clusters -kernel=k -tier=fiber %s | FileCheck %s --check-prefix=FIBER

declare void @us.cluster_arrive()
declare void @us.cluster_wait()
declare i64 @us.cluster_size(i32)
declare i32 @us.cluster_shift()
declare ptr addrspace(3) @us.cluster_arena()

; CHECK-LABEL: @k
; FIBER-LABEL: @k
define void @k(ptr addrspace(1) %p) {
  ; CHECK-NOT: cluster_arrive
  ; CHECK: call void @us.barrier(i32 3, i32 1)
  ; CHECK: call ptr addrspace(3) @us.local_arena()
  ; CHECK: store i64 1, ptr addrspace(1) %p
  ; CHECK: store i32 24, ptr addrspace(1) %p
  ; FIBER: call void @us.cluster_arrive()
  ; FIBER: call void @us.cluster_wait()
  ; FIBER: call ptr addrspace(3) @us.cluster_arena()
  call void @us.cluster_arrive()
  call void @us.cluster_wait()
  %base = call ptr addrspace(3) @us.cluster_arena()
  %n = call i64 @us.cluster_size(i32 1)
  store i64 %n, ptr addrspace(1) %p
  %s = call i32 @us.cluster_shift()
  store i32 %s, ptr addrspace(1) %p
  store ptr addrspace(3) %base, ptr addrspace(1) %p
  ret void
}
