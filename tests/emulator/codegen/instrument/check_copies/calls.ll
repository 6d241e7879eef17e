; A copy is told of with what it copies, and its event is what the launch says; what the library reads and writes for it
; is none of the work-item's own accesses. A wait is told of with its list.
; RUN: us-opt -passes=check_copies -checks=barriers -kernel=k %s | FileCheck %s
; RUN: us-opt -passes=check_copies -checks=memory -kernel=k %s | FileCheck %s -check-prefix=NONE
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; NONE-NOT:   us.async_copy
; CHECK-LABEL: define spir_kernel void @k(
; one line of elements of 16 bytes, into local memory
; CHECK:      %[[EVENT:.*]] = call i64 @us.async_copy(i64 %{{.*}}, i64 0, i64 0, i64 %{{.*}}, i64 0, i64 0, i64 16, i64 %n, i64 1, i64 1, i32 1, i64 {{.*}}, ptr addrspace(2) @us.site
; CHECK-NEXT: %[[HANDLE:.*]] = inttoptr i64 %[[EVENT]] to ptr
; CHECK-NEXT: call ptr @_Z21async_work_group_copyPU3AS3Dv3_fPU3AS1KS_m9ocl_event(
; a column of global memory
; CHECK:      call i64 @us.async_copy(i64 %{{.*}}, i64 %stride, i64 0, i64 %{{.*}}, i64 1, i64 0, i64 2, i64 1, i64 %n, i64 1, i32 0, i64 %{{.*}}, ptr
; CHECK:      store ptr %[[HANDLE]]
; lines of elements of six bytes, from an offset on
; CHECK:      call void @us.fence_copies(i32 1, ptr addrspace(2) @us.site
; CHECK:      %[[OFFSET:.*]] = mul i64 %n, 6
; CHECK:      %[[TO:.*]] = add i64 %{{.*}}, %[[OFFSET]]
; CHECK:      call i64 @us.async_copy(i64 %[[TO]], i64 8, i64 0, i64 %{{.*}}, i64 7, i64 0, i64 6, i64 3, i64 4, i64 1, i32 1, i64 %{{.*}}, ptr
; CHECK:      call void @us.await_copies(i32 1, i64 %{{.*}}, ptr addrspace(2) @us.site
; CHECK-NEXT: call void @_Z17wait_group_eventsiPU3AS49ocl_event
; CHECK-LABEL: define internal ptr @_Z21async_work_group_copy
; CHECK-NEXT: load {{.*}}, !us.told_elsewhere
; CHECK-NEXT: store {{.*}}, !us.told_elsewhere
define spir_kernel void @k(ptr addrspace(3) %l, ptr addrspace(1) %g, i64 %n, i64 %stride, ptr %list) {
  %a = call ptr @_Z21async_work_group_copyPU3AS3Dv3_fPU3AS1KS_m9ocl_event(ptr addrspace(3) %l, ptr addrspace(1) %g, i64 %n, ptr null)
  %b = call ptr @_Z29async_work_group_strided_copyPU3AS1sPU3AS3Ksmm9ocl_event(ptr addrspace(1) %g, ptr addrspace(3) %l, i64 %n, i64 %stride, ptr %a)
  store ptr %a, ptr %list
  call void @_Z27async_work_group_copy_fencej(i32 1)
  %c = call ptr @_Z26async_work_group_copy_2D2DPU3AS3vmPU3AS1Kvmmmmmm9ocl_event(ptr addrspace(3) %l, i64 %n, ptr addrspace(1) %g, i64 0, i64 6, i64 3, i64 4, i64 7, i64 8, ptr %a)
  %generic = addrspacecast ptr %list to ptr addrspace(4)
  call void @_Z17wait_group_eventsiPU3AS49ocl_event(i32 1, ptr addrspace(4) %generic)
  ret void
}
define internal ptr @_Z21async_work_group_copyPU3AS3Dv3_fPU3AS1KS_m9ocl_event(ptr addrspace(3) %to, ptr addrspace(1) %from, i64 %n, ptr %event) {
  %x = load <3 x float>, ptr addrspace(1) %from
  store <3 x float> %x, ptr addrspace(3) %to
  ret ptr %event
}
declare ptr @_Z29async_work_group_strided_copyPU3AS1sPU3AS3Ksmm9ocl_event(ptr addrspace(1), ptr addrspace(3), i64, i64, ptr)
declare void @_Z17wait_group_eventsiPU3AS49ocl_event(i32, ptr addrspace(4))
declare ptr @_Z26async_work_group_copy_2D2DPU3AS3vmPU3AS1Kvmmmmmm9ocl_event(ptr addrspace(3), i64, ptr addrspace(1), i64, i64, i64, i64, i64, i64, ptr)
declare void @_Z27async_work_group_copy_fencej(i32)
