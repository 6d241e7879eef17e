; What the program calls is linked in and hidden with everything but kernels; the machine's functions stay declared.
; RUN: us-opt -passes=retarget_module,link_builtins,verify_kernel_ir %s | FileCheck %s
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z14get_local_sizej(i32)

; CHECK: @table = internal addrspace(2) constant
@table = addrspace(2) constant i32 3

; CHECK: define spir_kernel void @k
define spir_kernel void @k(ptr addrspace(1) %p) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  call spir_func void @helper(ptr addrspace(1) %p)
  %n = load i32, ptr addrspace(2) @table
  store i32 %n, ptr addrspace(1) %p
  ret void
}

; CHECK: define internal spir_func void @helper
define spir_func void @helper(ptr addrspace(1) %p) {
  ret void
}

; CHECK-NOT: get_local_size
; CHECK: define internal spir_func i64 @_Z13get_global_idj(i32
; CHECK: declare {{.*}}i64 @us.global_id(i32
; CHECK-NOT: get_local_size
