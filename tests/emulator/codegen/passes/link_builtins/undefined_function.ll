; A function that nobody defines is an error that names it as the source did.
; RUN: not us-opt -passes=retarget_module,link_builtins %s 2>&1 | FileCheck %s
; CHECK: undefined function 'missing'
declare spir_func void @missing()
define spir_kernel void @k() {
  call spir_func void @missing()
  ret void
}
