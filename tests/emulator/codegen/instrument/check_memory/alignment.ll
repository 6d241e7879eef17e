; What a pointer was made from, and its steps, say how it is aligned, also behind a cast to the generic address space:
; only where they do not is each access asked.
; RUN: us-opt -passes=check_memory -checks=memory -kernel=k %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @k(
; CHECK-NOT:   and i64
; CHECK:       store i32 1
; CHECK-NOT:   and i64
; CHECK:       store i32 2
; CHECK:       %[[ADDRESS:.*]] = ptrtoint ptr addrspace(4) %odd to i64
; CHECK-NEXT:  %[[REST:.*]] = and i64 %[[ADDRESS]], 3
; CHECK-NEXT:  icmp eq i64 %[[REST]], 0
; CHECK:       store i32 3
define spir_kernel void @k(i64 %i) {
  %words = alloca [4 x i32], align 4
  %generic = addrspacecast ptr %words to ptr addrspace(4)
  %fixed = getelementptr inbounds i32, ptr addrspace(4) %generic, i64 2
  store i32 1, ptr addrspace(4) %fixed, align 4
  %any = getelementptr inbounds i32, ptr addrspace(4) %generic, i64 %i
  store i32 2, ptr addrspace(4) %any, align 4
  %odd = getelementptr inbounds i8, ptr addrspace(4) %generic, i64 %i
  store i32 3, ptr addrspace(4) %odd, align 4
  ret void
}
