; PTX's divisions are guarded by what PTX says of them: one by zero is told all the same, one by -1 only where it
; overflows. A guard that the source has is none of those.
; RUN: us-opt -passes=guard_undefined_operations,check_arithmetic -checks=arithmetic -kernel=k %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @k(
; CHECK:      select i1 %{{.*}}, i32 1, i32 %divisor
; CHECK-NEXT: %[[BY_ZERO:.*]] = icmp eq i32 %b, 0
; CHECK-NEXT: %[[LEAST:.*]] = icmp eq i32 %a, -2147483648
; CHECK-NEXT: %[[BY_MINUS_ONE:.*]] = icmp eq i32 %b, -1
; CHECK-NEXT: %[[OVERFLOWS:.*]] = and i1 %[[LEAST]], %[[BY_MINUS_ONE]]
; CHECK-NEXT: %[[UNDEFINED:.*]] = or i1 %[[BY_ZERO]], %[[OVERFLOWS]]
; CHECK-NEXT: br i1 %[[UNDEFINED]], label %[[FAILED:.*]], label
; CHECK:      [[FAILED]]:
; CHECK:      sext i32 %a to i64
; CHECK:      sext i32 %b to i64
; CHECK:      call void @us.check_failed(i32 2,
; CHECK:      sdiv i32 %a,
; CHECK:      select i1 %{{.*}}, i32 1, i32 %own.divisor
; CHECK-NEXT: %[[WRONG:.*]] = icmp eq i32 %own, 0
; CHECK-NEXT: br i1 %[[WRONG]],
; CHECK:      urem i32 %a,
define spir_kernel void @k(i32 %a, i32 %b, i1 %c, ptr addrspace(1) %out) !dbg !3 !us_language_target !7 {
  %zero = icmp eq i32 %b, 0, !dbg !6
  %one = select i1 %zero, i32 1, i32 %b, !dbg !6
  %minus = icmp eq i32 %b, -1, !dbg !6
  %divisor = select i1 %minus, i32 1, i32 %one, !dbg !6
  %q = sdiv i32 %a, %divisor, !dbg !6
  store i32 %q, ptr addrspace(1) %out, !dbg !6
  %own = select i1 %c, i32 1, i32 %b, !dbg !6
  %own.zero = icmp eq i32 %own, 0, !dbg !6
  %own.divisor = select i1 %own.zero, i32 1, i32 %own, !dbg !6
  %r = urem i32 %a, %own.divisor, !dbg !6
  store i32 %r, ptr addrspace(1) %out, !dbg !6
  ret void, !dbg !6
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.ptx", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !5)
!5 = !{}
!7 = !{}
!6 = !DILocation(line: 2, column: 3, scope: !3)
