; The levels of a mipmap have one format: what is known of an image is known of the descriptors behind its own. What lies
; in a descriptor is no level.
; RUN: us-opt -passes=specialize_images -kernel=k -opaque=35909 %s | FileCheck %s

%descriptor = type { ptr, i64, i64, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32 }

; CHECK-LABEL: define spir_kernel void @k(
; CHECK: call i32 @us_read_level(ptr %inside)
; CHECK: call i32 @us_read_level.1(ptr %level)
; CHECK-LABEL: define internal spir_func i32 @us_read_level.1(ptr %image)
; CHECK: ret i32 5
define spir_kernel void @k(ptr %image, i64 %n, ptr addrspace(1) %out) !kernel_arg_base_type !0 {
  %inside = getelementptr inbounds %descriptor, ptr %image, i64 0, i32 3
  %other = call i32 @us_read_level(ptr %inside)
  %level = getelementptr inbounds %descriptor, ptr %image, i64 %n
  %value = call i32 @us_read_level(ptr %level)
  %sum = add i32 %value, %other
  store i32 %sum, ptr addrspace(1) %out
  ret void
}

define spir_func i32 @us_read_level(ptr %image) {
  %order.at = getelementptr inbounds i8, ptr %image, i64 40
  %order = load i32, ptr %order.at
  ret i32 %order
}

!0 = !{!"image2d_t", !"long", !"int*"}
