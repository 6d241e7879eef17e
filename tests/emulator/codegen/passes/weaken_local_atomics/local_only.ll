; Atomics on local memory lose the lock prefix; those on global memory stay.
; RUN: us-opt -passes=weaken_local_atomics -kernel=k %s | FileCheck %s

; CHECK-LABEL: @k
define i32 @k(ptr addrspace(3) %l, ptr addrspace(1) %g) {
  ; CHECK: [[OLD:%.*]] = load atomic i32, ptr addrspace(3) %l monotonic, align 4
  ; CHECK: [[NEW:%.*]] = add i32 [[OLD]], 1
  ; CHECK: store atomic i32 [[NEW]], ptr addrspace(3) %l monotonic, align 4
  %a = atomicrmw add ptr addrspace(3) %l, i32 1 seq_cst
  ; CHECK: atomicrmw add ptr addrspace(1) %g, i32 1 seq_cst
  %b = atomicrmw add ptr addrspace(1) %g, i32 1 seq_cst
  ; CHECK: [[SEEN:%.*]] = load atomic i32, ptr addrspace(3) %l monotonic
  ; CHECK: [[SAME:%.*]] = icmp eq i32 [[SEEN]], 0
  ; CHECK: select i1 [[SAME]], i32 7, i32 [[SEEN]]
  ; CHECK: store atomic i32
  ; CHECK-NOT: cmpxchg
  %c = cmpxchg ptr addrspace(3) %l, i32 0, i32 7 acq_rel monotonic
  %d = extractvalue { i32, i1 } %c, 0
  ret i32 %d
}
