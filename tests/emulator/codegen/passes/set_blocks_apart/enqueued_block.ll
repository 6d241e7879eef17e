; A kernel whose address is taken is what Clang made of a block; one that is only called, or only launched, is none.
; RUN: us-opt -passes=set_blocks_apart %s | FileCheck %s

; CHECK: define internal spir_func void @block_kernel(ptr addrspace(4) %block) #[[MARK:[0-9]+]]
define spir_kernel void @block_kernel(ptr addrspace(4) %block) {
  ret void
}
; CHECK: define spir_kernel void @called()
define spir_kernel void @called() {
  ret void
}
; CHECK: define spir_kernel void @parent(ptr %queue)
define spir_kernel void @parent(ptr %queue) {
  call spir_kernel void @called()
  ; CHECK: ptr addrspace(4) addrspacecast (ptr @block_kernel to ptr addrspace(4))
  %r = call spir_func i32 @__enqueue_kernel_basic(ptr %queue, i32 0, ptr null, ptr addrspace(4) addrspacecast (ptr @block_kernel to ptr addrspace(4)), ptr addrspace(4) null)
  ret void
}
declare spir_func i32 @__enqueue_kernel_basic(ptr, i32, ptr, ptr addrspace(4), ptr addrspace(4))
; CHECK: attributes #[[MARK]] = { "us-block-kernel" }
