; An image that a select chooses, one of which nothing is known, and a kernel without images keep their calls; a literal
; sampler is used even then.
; RUN: us-opt -passes=specialize_images -kernel=k -opaque=35909,0,35909 %s | FileCheck %s
; RUN: us-opt -passes=specialize_images -kernel=buffers -opaque=35909 %s | FileCheck %s --check-prefix=BUFFERS

; CHECK-LABEL: define spir_kernel void @k(
; CHECK: call i32 @us_read(ptr %either, ptr %s)
; CHECK: call i32 @us_read(ptr %unknown, ptr %s)
; CHECK: call i32 @[[LITERAL:us_read[.0-9]+]](ptr %unknown, ptr inttoptr (i64 34 to ptr))
; CHECK: define internal spir_func i32 @[[LITERAL]](
; CHECK: load i32
; CHECK: ret i32
define spir_kernel void @k(ptr %image, ptr %unknown, ptr %other, ptr %s, i1 %which) !kernel_arg_base_type !0 {
  %either = select i1 %which, ptr %image, ptr %other
  %x = call i32 @us_read(ptr %either, ptr %s)
  %y = call i32 @us_read(ptr %unknown, ptr %s)
  %z = call i32 @us_read(ptr %unknown, ptr inttoptr (i64 34 to ptr))
  ret void
}

; BUFFERS: define spir_kernel void @buffers(
; BUFFERS: call i32 @us_read(ptr %p, ptr null)
define spir_kernel void @buffers(ptr %p) !kernel_arg_base_type !1 {
  %x = call i32 @us_read(ptr %p, ptr null)
  ret void
}

define spir_func i32 @us_read(ptr %image, ptr %sampler) {
  %type.at = getelementptr inbounds i8, ptr %image, i64 44
  %type = load i32, ptr %type.at
  %bits = ptrtoint ptr %sampler to i64
  %low = trunc i64 %bits to i32
  %sum = add i32 %type, %low
  ret i32 %sum
}
!0 = !{!"image2d_t", !"image2d_t", !"image2d_t", !"sampler_t", !"bool"}
!1 = !{!"int*"}
