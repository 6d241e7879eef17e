; A write to a level of a mipmap is compared with the number of levels and with the size of that level, whose descriptor
; lies behind the first; where there is no such level, the first one's is told.
; RUN: us-opt -passes=check_images -checks=memory -kernel=k %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: define spir_kernel void @k(
; CHECK:      %[[AT:.*]] = getelementptr {{.*}}i8, ptr %a, i64 52
; CHECK:      %[[LEVELS:.*]] = load i32, ptr %[[AT]]
; CHECK:      %[[IS:.*]] = icmp ult i32 %lod, %[[LEVELS]]
; CHECK:      %[[NUMBER:.*]] = select i1 %[[IS]], i32 %lod, i32 0
; CHECK:      %[[LONG:.*]] = zext i32 %[[NUMBER]] to i64
; CHECK:      %[[DISTANCE:.*]] = mul i64 %[[LONG]], 64
; CHECK:      %[[LEVEL:.*]] = getelementptr {{.*}}i8, ptr %a, i64 %[[DISTANCE]]
; CHECK:      %[[WIDTH_AT:.*]] = getelementptr {{.*}}i8, ptr %[[LEVEL]], i64 24
; CHECK:      %[[WIDTH:.*]] = load i32, ptr %[[WIDTH_AT]]
; CHECK:      icmp ult i32 %{{.*}}, %[[WIDTH]]
; CHECK:      zext i32 %lod to i64
; CHECK:      ptrtoint ptr %[[LEVEL]] to i64
; CHECK:      call void @us.check_failed(i32 7,
define spir_kernel void @k(ptr %a, <2 x i32> %at, i32 %lod) {
  call void @_Z12write_imagef14ocl_image2d_woDv2_iiDv4_f(ptr %a, <2 x i32> %at, i32 %lod, <4 x float> zeroinitializer)
  ret void
}
declare void @_Z12write_imagef14ocl_image2d_woDv2_iiDv4_f(ptr, <2 x i32>, i32, <4 x float>)
