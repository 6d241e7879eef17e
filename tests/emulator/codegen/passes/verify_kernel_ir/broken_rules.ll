; Every broken rule is an error that names its place.
; RUN: not us-opt -passes=retarget_module,verify_kernel_ir %s 2>&1 | FileCheck --check-prefix=FLAGS %s
; RUN: not us-opt -passes=verify_kernel_ir %s 2>&1 | FileCheck --check-prefix=HOST %s
; FLAGS: kernel IR: an instruction of 'f' has fast-math flags
; HOST: kernel IR: the module is not for the host
define float @f(float %a) {
  %s = fadd fast float %a, 1.0
  ret float %s
}
