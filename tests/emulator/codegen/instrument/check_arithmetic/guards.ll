; Where guard_undefined_operations made a division or a conversion a defined one, what it guards against is told; not in
; the library's functions, which have no debug information.
; RUN: us-opt -passes=guard_undefined_operations,check_arithmetic -checks=arithmetic -kernel=k %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @k(
; CHECK:      %[[TRAPS:.*]] = icmp eq i32 %b, 0
; CHECK:      br i1 %[[TRAPS]], label %[[FAILED:.*]], label
; CHECK:      [[FAILED]]:
; CHECK:      call void @us.check_failed(i32 2, ptr addrspace(2) @us.site.{{.*}}, i64 %{{.*}}, i64 %{{.*}}, i64 0)
; CHECK:      %q = udiv i32 %a,
; CHECK:      %[[WHOLE:.*]] = call float @llvm.trunc.f32(float %x)
; CHECK-NEXT: fcmp oge float %[[WHOLE]], 0xC1E0000000000000
; CHECK-NEXT: fcmp olt float %[[WHOLE]], 0x41E0000000000000
; CHECK:      call void @us.check_failed(i32 4,
; CHECK:      call i32 @llvm.fptosi.sat.i32.f32(float %x)
; CHECK-LABEL: define i32 @library(
; CHECK-NOT:  call void @us.check_failed
define spir_kernel void @k(i32 %a, i32 %b, float %x, ptr addrspace(1) %out) !dbg !3 {
  %q = udiv i32 %a, %b, !dbg !6
  store i32 %q, ptr addrspace(1) %out, !dbg !6
  %i = fptosi float %x to i32, !dbg !6
  store i32 %i, ptr addrspace(1) %out, !dbg !6
  ret void, !dbg !6
}
define i32 @library(i32 %a, i32 %b) {
  %q = udiv i32 %a, %b
  ret i32 %q
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cl", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !5)
!5 = !{}
!6 = !DILocation(line: 2, column: 3, scope: !3)
