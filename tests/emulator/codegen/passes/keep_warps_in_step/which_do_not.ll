; Kernels that have nothing to do with warps, those of OpenCL, which promises no warps, and the loop tier, whose threads
; of a warp are side by side, are left alone.
; RUN: us-opt -passes=keep_warps_in_step -kernel=k -tier=loop %s | FileCheck %s
; RUN: us-opt -passes=keep_warps_in_step -kernel=of_opencl -tier=fiber %s | FileCheck %s
; RUN: us-opt -passes=keep_warps_in_step -kernel=without_warps -tier=fiber %s | FileCheck %s

; CHECK-NOT: us.sub_group_sync(i32 512
@room = internal addrspace(3) global [256 x i8] undef, align 4
declare i64 @us.local_id(i32)
declare i32 @us.sub_group_sync(i32, i32)
define spir_kernel void @k() !us_language_target !0 {
  %all = call i32 @us.sub_group_sync(i32 3, i32 -1)
  %id = call i64 @us.local_id(i32 0)
  %own = getelementptr i32, ptr addrspace(3) @room, i64 %id
  store i32 1, ptr addrspace(3) %own
  store i32 2, ptr addrspace(3) @room
  ret void
}
define spir_kernel void @of_opencl() {
  %all = call i32 @us.sub_group_sync(i32 3, i32 -1)
  %id = call i64 @us.local_id(i32 0)
  %own = getelementptr i32, ptr addrspace(3) @room, i64 %id
  store i32 1, ptr addrspace(3) %own
  store i32 2, ptr addrspace(3) @room
  ret void
}
define spir_kernel void @without_warps() !us_language_target !0 {
  %id = call i64 @us.local_id(i32 0)
  %own = getelementptr i32, ptr addrspace(3) @room, i64 %id
  store i32 1, ptr addrspace(3) %own
  store i32 2, ptr addrspace(3) @room
  ret void
}
!0 = !{i32 80}
