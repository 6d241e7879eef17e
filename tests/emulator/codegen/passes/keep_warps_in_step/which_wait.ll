; Threads of a warp wait before they touch what others may have touched since the warp met last, if one of the two
; writes: behind a store before a load and a store, behind a load before a store. Not behind a barrier or a vote, for
; another variable, and between the parts of one instruction.
; RUN: us-opt -passes=keep_warps_in_step -kernel=k -tier=fiber %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @k
; CHECK: store i32 1, ptr addrspace(3) %own
; CHECK-NEXT: [[A:%.*]] = call i32 @us.sub_group_sync(i32 512, i32 0)
; CHECK-NEXT: %a = load i32, ptr addrspace(3) %other
; CHECK-NEXT: %b = load i32, ptr addrspace(3) %second
; CHECK-NEXT: call i32 @us.sub_group_sync(i32 512, i32 0)
; CHECK-NEXT: store i32 %a, ptr addrspace(3) %own
; CHECK-NEXT: call void @us.barrier(i32 1, i32 0)
; CHECK-NEXT: %c = load i32, ptr addrspace(3) %other
; CHECK-NEXT: call i32 @us.sub_group_sync(i32 3, i32 -1)
; CHECK-NEXT: store i32 %c, ptr addrspace(3) %own, align 4, !dbg
; CHECK-NEXT: store i32 %c, ptr addrspace(3) %next, align 4, !dbg
; CHECK-NEXT: call i32 @us.sub_group_sync(i32 512, i32 0)
; CHECK-NEXT: atomicrmw add ptr addrspace(3) %other
; CHECK-NEXT: atomicrmw add ptr addrspace(3) %own
; CHECK-NEXT: ret void
@k.room = internal addrspace(3) global [256 x i8] undef, align 4
@k.room2 = internal addrspace(3) global [256 x i8] undef, align 4
declare i64 @us.local_id(i32)
declare void @us.barrier(i32, i32)
declare i32 @us.sub_group_sync(i32, i32)
define spir_kernel void @k() !us_language_target !0 !dbg !4 {
  %id = call i64 @us.local_id(i32 0)
  %own = getelementptr i32, ptr addrspace(3) @k.room, i64 %id
  %next = getelementptr i32, ptr addrspace(3) %own, i64 1
  %number = xor i64 %id, 1
  %other = getelementptr i32, ptr addrspace(3) @k.room, i64 %number
  %second = getelementptr i32, ptr addrspace(3) @k.room2, i64 %number
  store i32 1, ptr addrspace(3) %own
  %a = load i32, ptr addrspace(3) %other
  %b = load i32, ptr addrspace(3) %second
  store i32 %a, ptr addrspace(3) %own
  call void @us.barrier(i32 1, i32 0)
  %c = load i32, ptr addrspace(3) %other
  %all = call i32 @us.sub_group_sync(i32 3, i32 -1)
  store i32 %c, ptr addrspace(3) %own, !dbg !5
  store i32 %c, ptr addrspace(3) %next, !dbg !5
  %old = atomicrmw add ptr addrspace(3) %other, i32 1 monotonic
  %old2 = atomicrmw add ptr addrspace(3) %own, i32 1 monotonic
  ret void
}
!llvm.dbg.cu = !{!1}
!llvm.module.flags = !{!3}
!0 = !{i32 80}
!1 = distinct !DICompileUnit(language: DW_LANG_C99, file: !2, emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "k.ptx", directory: "")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "k", file: !2, unit: !1, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 7, scope: !4)
