; Nobody asks for what was there: relaxed, it is a store; if it orders other accesses, or is asked, it stays.
; RUN: us-opt -passes=weaken_local_atomics -kernel=k %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK-NEXT: store atomic i32 1, ptr addrspace(1) %p monotonic, align 4
; CHECK-NEXT: atomicrmw xchg ptr addrspace(1) %p, i32 2 acq_rel
; CHECK-NEXT: %old = atomicrmw xchg ptr addrspace(1) %p, i32 3 monotonic
define void @k(ptr addrspace(1) %p) {
  %a = atomicrmw xchg ptr addrspace(1) %p, i32 1 monotonic, align 4
  %b = atomicrmw xchg ptr addrspace(1) %p, i32 2 acq_rel, align 4
  %old = atomicrmw xchg ptr addrspace(1) %p, i32 3 monotonic, align 4
  store i32 %old, ptr addrspace(1) %p
  ret void
}
