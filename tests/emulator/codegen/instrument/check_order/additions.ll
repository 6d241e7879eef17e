; Atomic additions and subtractions of floating-point numbers are told, with what was there before; whole numbers are not.
; RUN: us-opt -passes=check_order -checks=order -kernel=k %s | FileCheck %s

; CHECK:      %old = atomicrmw fadd ptr addrspace(1) %p, float %x monotonic
; CHECK:      %[[BEFORE:.*]] = fpext float %old to double
; CHECK:      %[[NUMBER:.*]] = fpext float %x to double
; CHECK:      call void @us.float_added(i64 %{{.*}}, i32 4, ptr addrspace(2) @us.site.{{.*}}, i64 %{{.*}}, i64 %{{.*}})
; CHECK:      atomicrmw fsub ptr addrspace(1) %q, double %y monotonic
; CHECK-NEXT: fneg double %y
; CHECK:      call void @us.float_added(i64 %{{.*}}, i32 8,
; CHECK-NOT:  call void @us.float_added
define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, float %x, double %y, i32 %n) !dbg !3 {
  %old = atomicrmw fadd ptr addrspace(1) %p, float %x monotonic, !dbg !6
  %less = atomicrmw fsub ptr addrspace(1) %q, double %y monotonic, !dbg !6
  %count = atomicrmw add ptr addrspace(1) %p, i32 %n monotonic, !dbg !6
  ret void, !dbg !6
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cl", directory: ".")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{})
!5 = distinct !DISubprogram(name: "helper", file: !1, line: 9, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 2, column: 3, scope: !3)
!7 = !DILocation(line: 10, column: 3, scope: !5)
