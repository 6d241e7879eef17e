; A birth is an operation of the source, or a call of the library, whose operands are finite; its number goes with the
; value, also through memory and functions.
; RUN: us-opt -passes=check_nan -checks=nan -kernel=k %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @k(
; CHECK:      %x = load float
; CHECK-NEXT: %[[SIZE:.*]] = call float @llvm.fabs.f32(float %x)
; CHECK-NEXT: %[[BAD:.*]] = fcmp uge float %[[SIZE]], 0x7FF0000000000000
; CHECK-NEXT: br i1 %[[BAD]],
; CHECK:      call i64 @us.nan_at(i64
; CHECK:      %[[X:.*]] = phi i64 [ 0,
; CHECK:      %q = fdiv float %x, %b
; CHECK:      %[[KNOWN:.*]] = call i64 @us.nan_born(i32 %{{.*}}, ptr addrspace(2) @us.site.{{.*}}, i64 %{{.*}}, i64 %{{.*}}, i64 %[[X]])
; CHECK:      %[[Q:.*]] = phi i64 [ 0, %{{.*}} ], [ %[[KNOWN]],
; CHECK:      %r = call float @sqrt(float %q)
; CHECK:      call i64 @us.nan_born({{.*}}, i64 %[[Q]])
; CHECK:      %[[R:.*]] = phi i64
; CHECK:      call void @us.nan_pass(i32 0, i64 %[[R]])
; CHECK-NEXT: %h = call float @helper(float %r)
; CHECK-NEXT: %[[H:.*]] = call i64 @us.nan_passed(i32 -1)
; CHECK:      call void @us.nan_stored(i64 %{{.*}}, i32 4, ptr addrspace(2) @us.site.{{.*}}, i64 %[[H]])
; CHECK:      store float %h
; CHECK-LABEL: define float @helper(
; CHECK:      call i64 @us.nan_passed(i32 0)
; CHECK:      call i64 @us.nan_born
; CHECK:      call void @us.nan_pass(i32 -1,
; CHECK-LABEL: define float @library(
; CHECK-NOT:  call i64 @us.nan_born
define spir_kernel void @k(ptr addrspace(1) %in, float %b, ptr addrspace(1) %out) !dbg !3 {
  %x = load float, ptr addrspace(1) %in, !dbg !6
  %q = fdiv nnan float %x, %b, !dbg !6
  %r = call float @sqrt(float %q), !dbg !6
  %h = call float @helper(float %r), !dbg !6
  store float %h, ptr addrspace(1) %out, !dbg !6
  ret void, !dbg !6
}
define float @helper(float %a) !dbg !5 {
  %s = fmul float %a, %a, !dbg !7
  ret float %s, !dbg !7
}
define float @library(float %a) {
  %s = fmul float %a, %a
  ret float %s
}
declare float @sqrt(float)
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
