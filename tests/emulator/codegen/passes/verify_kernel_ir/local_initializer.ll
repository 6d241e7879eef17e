; Local memory has no initial value.
; RUN: not us-opt -passes=retarget_module,verify_kernel_ir %s 2>&1 | FileCheck %s
; CHECK: kernel IR: local variable 'scratch' has an initial value
@scratch = internal addrspace(3) global i32 7
