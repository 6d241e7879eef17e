; The signatures of the machine's functions are fixed.
; RUN: not us-opt -passes=retarget_module,verify_kernel_ir %s 2>&1 | FileCheck %s
; CHECK: kernel IR: 'us.barrier' has the wrong signature
declare void @us.barrier(i32)
