; The module moves to the host and forgets its old target; what marks kernels stays.
; RUN: us-opt -passes=retarget_module %s | FileCheck %s
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1"
target triple = "spir64"

; CHECK-NOT: spir64
; CHECK: target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-{{.*}}n8:16:32:64-S128"
; CHECK: target triple = "x86_64-{{.*}}"

; CHECK: define spir_kernel void @k(ptr addrspace(1) %out) #[[KERNEL:[0-9]+]]
define spir_kernel void @k(ptr addrspace(1) %out) #0 {
  ; CHECK: %q = fdiv float %a, 3.000000e+00{{$}}
  %a = load float, ptr addrspace(1) %out
  %q = fdiv float %a, 3.0, !fpmath !1
  store float %q, ptr addrspace(1) %out
  ret void
}

; CHECK: attributes #[[KERNEL]] = { nounwind "uniform-work-group-size"="true" }
; CHECK-NOT: opencl.ocl.version
; CHECK-NOT: llvm.ident
attributes #0 = { nounwind "frame-pointer"="all" "no-trapping-math"="true" "denormal-fp-math-f32"="preserve-sign,preserve-sign" "uniform-work-group-size"="true" }
!opencl.ocl.version = !{!0}
!llvm.ident = !{!2}
!0 = !{i32 3, i32 0}
!1 = !{float 2.5}
!2 = !{!"a compiler"}
