; Blocks become kernels that others name; what literals hold for calls is gone, also in those at program scope.
; RUN: us-opt -passes=name_block_kernels %s | FileCheck %s

; CHECK: @literal = internal addrspace(1) constant { i32, i32, ptr addrspace(4) } { i32 16, i32 8, ptr addrspace(4) {{(null|addrspacecast \(ptr null to ptr addrspace\(4\)\))}} }
@literal = internal addrspace(1) constant { i32, i32, ptr addrspace(4) } { i32 16, i32 8, ptr addrspace(4) addrspacecast (ptr @invoke to ptr addrspace(4)) }
; CHECK: @block.name = private addrspace(2) constant [19 x i8] c"block_kernel.block\00"

define internal spir_func void @invoke(ptr addrspace(4) %block) {
  ret void
}
; CHECK: define dso_local spir_kernel void @block_kernel.block(ptr addrspace(4) %block) {
define internal spir_func void @block_kernel(ptr addrspace(4) %block) "us-block-kernel" {
  ; CHECK-NEXT: call spir_func void @invoke(ptr addrspace(4) %block)
  call spir_func void @invoke(ptr addrspace(4) %block)
  ret void
}
define spir_kernel void @parent(ptr %queue) {
  %slot = alloca ptr addrspace(4)
  ; CHECK: store ptr addrspace(4) {{(null|addrspacecast \(ptr null to ptr addrspace\(4\)\))}}, ptr %slot
  store ptr addrspace(4) addrspacecast (ptr @invoke to ptr addrspace(4)), ptr %slot
  ; CHECK: call spir_func i32 @__enqueue_kernel_basic({{.*}}@block.name{{.*}}@literal
  %r = call spir_func i32 @__enqueue_kernel_basic(ptr %queue, i32 0, ptr null, ptr addrspace(4) addrspacecast (ptr @block_kernel to ptr addrspace(4)), ptr addrspace(4) addrspacecast (ptr addrspace(1) @literal to ptr addrspace(4)))
  ret void
}
declare spir_func i32 @__enqueue_kernel_basic(ptr, i32, ptr, ptr addrspace(4), ptr addrspace(4))
