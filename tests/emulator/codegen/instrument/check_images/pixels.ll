; A pixel that is written is compared with the image's size, an array's layer, too; one that is read only without the
; layer, and with a sampler only where its addressing mode is none.
; RUN: us-opt -passes=check_images -checks=memory -kernel=k %s | FileCheck %s
; RUN: us-opt -passes=check_images -checks=arithmetic -kernel=k %s | FileCheck %s -check-prefix=NONE
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; NONE-NOT:   us.check_failed
; CHECK-LABEL: define spir_kernel void @k(
; CHECK:      %[[X:.*]] = extractelement <4 x i32> %at, i64 0
; CHECK:      icmp ult i32 %[[X]], %
; CHECK:      %[[Z:.*]] = extractelement <4 x i32> %at, i64 2
; CHECK:      icmp ult i32 %[[Z]], %
; CHECK:      call void @us.check_failed(i32 7, ptr addrspace(2) @us.site.{{.*}}, i64 %{{.*}}, i64 %{{.*}}, i64 %{{.*}})
; CHECK:      call void @_Z12write_imagef20ocl_image2d_array_woDv4_iDv4_f
; CHECK:      extractelement <4 x i32> %at, i64 2
; CHECK-NOT:  icmp
; CHECK:      %[[WRONG:.*]] = xor i1
; CHECK-NEXT: br i1 %[[WRONG]], label
; CHECK:      us.check_failed
; CHECK:      call <4 x float> @_Z11read_imagef20ocl_image2d_array_roDv4_i
; CHECK:      fcmp oge float
; CHECK:      fcmp olt float
; CHECK:      %[[MODE:.*]] = and i64 %{{.*}}, 7
; CHECK:      icmp eq i64 %[[MODE]], 0
; CHECK:      us.check_failed
; CHECK:      call <4 x float> @_Z11read_imagef14ocl_image1d_ro11ocl_samplerf
define spir_kernel void @k(ptr %a, ptr %b, ptr %sampler, <4 x i32> %at, float %s) {
  call void @_Z12write_imagef20ocl_image2d_array_woDv4_iDv4_f(ptr %a, <4 x i32> %at, <4 x float> zeroinitializer)
  %r = call <4 x float> @_Z11read_imagef20ocl_image2d_array_roDv4_i(ptr %a, <4 x i32> %at)
  %q = call <4 x float> @_Z11read_imagef14ocl_image1d_ro11ocl_samplerf(ptr %b, ptr %sampler, float %s)
  ret void
}
declare void @_Z12write_imagef20ocl_image2d_array_woDv4_iDv4_f(ptr, <4 x i32>, <4 x float>)
declare <4 x float> @_Z11read_imagef20ocl_image2d_array_roDv4_i(ptr, <4 x i32>)
declare <4 x float> @_Z11read_imagef14ocl_image1d_ro11ocl_samplerf(ptr, ptr, float)
