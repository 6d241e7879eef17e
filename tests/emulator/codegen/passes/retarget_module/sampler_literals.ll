; A sampler literal is its bits, in a variable or not; an image is a pointer whatever its kind and access.
; RUN: us-opt -passes=retarget_module,verify_kernel_ir %s | FileCheck %s
target triple = "spir64"

; CHECK-NOT: __translate_sampler_initializer
; CHECK: define spir_kernel void @k(ptr %a, ptr %b, ptr %s)
define spir_kernel void @k(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %a, target("spirv.Image", void, 2, 0, 0, 0, 0, 0, 2) %b, target("spirv.Sampler") %s) {
  ; CHECK: %slot = alloca ptr
  %slot = alloca target("spirv.Sampler"), align 8
  %literal = call spir_func target("spirv.Sampler") @__translate_sampler_initializer(i32 23)
  ; CHECK: store ptr inttoptr (i64 23 to ptr), ptr %slot
  store target("spirv.Sampler") %literal, ptr %slot, align 8
  %other = call spir_func target("spirv.Sampler") @__translate_sampler_initializer(i32 36)
  ; CHECK: call spir_func void @use(ptr %a, ptr inttoptr (i64 36 to ptr))
  call spir_func void @use(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %a, target("spirv.Sampler") %other)
  ret void
}
declare spir_func target("spirv.Sampler") @__translate_sampler_initializer(i32)
declare spir_func void @use(target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0), target("spirv.Sampler"))
