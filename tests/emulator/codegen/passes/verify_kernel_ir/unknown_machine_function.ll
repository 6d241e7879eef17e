; A name of the machine's that it does not have is an error.
; RUN: not us-opt -passes=retarget_module,verify_kernel_ir %s 2>&1 | FileCheck %s
; CHECK: kernel IR: the machine has no function 'us.nothing'
declare void @us.nothing()
