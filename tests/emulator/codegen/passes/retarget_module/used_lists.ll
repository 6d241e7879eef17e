; What __attribute__((used)) leaves for a linker is no program-scope variable.
; RUN: us-opt -passes=retarget_module %s | FileCheck %s
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

; CHECK-NOT: @llvm
@llvm.compiler.used = appending global [1 x ptr] [ptr @k], section "llvm.metadata"

; CHECK: define spir_kernel void @k()
define spir_kernel void @k() {
  ret void
}
