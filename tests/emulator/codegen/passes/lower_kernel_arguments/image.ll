; An image's descriptor is there: what is loaded from it may be loaded anywhere. A sampler is no address.
; RUN: us-opt -passes=lower_kernel_arguments -kernel=k %s | FileCheck %s

; CHECK-LABEL: define void @k()
define void @k(ptr %image, ptr %sampler) !kernel_arg_base_type !0 {
  ; CHECK: %image = load ptr, ptr %arguments, {{.*}}!invariant.load !{{[0-9]+}}, !nonnull !{{[0-9]+}}, !dereferenceable ![[SIZE:[0-9]+]], !align ![[SIZE]]
  ; CHECK: %sampler = load ptr, ptr %{{[0-9]+}}, align 8, !invariant.load !{{[0-9]+$}}
  %width = load i32, ptr %image
  %bits = ptrtoint ptr %sampler to i64
  call void @use(i32 %width, i64 %bits)
  ret void
}
declare void @use(i32, i64)
; CHECK: ![[SIZE]] = !{i64 64}
!0 = !{!"image2d_t", !"sampler_t"}
