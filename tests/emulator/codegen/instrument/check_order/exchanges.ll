; A compare-and-exchange of a number with its sum with another one is an addition where it succeeds; what is exchanged
; for something else is not.
; RUN: us-opt -passes=check_order -checks=order -kernel=k %s | FileCheck %s

; CHECK:      %[[ADDED:.*]] = alloca float
; CHECK-NEXT: store float 0.000000e+00, ptr %[[ADDED]]
; CHECK:      store float %x, ptr %[[ADDED]]
; CHECK-NEXT: %sum = fadd float %before, %x
; CHECK:      %pair = cmpxchg
; CHECK-NEXT: %[[BEFORE:.*]] = bitcast i32 %old to float
; CHECK-NEXT: %[[DONE:.*]] = extractvalue { i32, i1 } %pair, 1
; CHECK-NEXT: %[[NUMBER:.*]] = load float, ptr %[[ADDED]]
; CHECK-NEXT: %[[TOLD:.*]] = select i1 %[[DONE]], float %[[NUMBER]], float 0.000000e+00
; CHECK:      call void @us.float_added(
; CHECK-NOT:  call void @us.float_added(
define spir_kernel void @k(ptr addrspace(1) %p, float %x) !dbg !3 {
entry:
  %number = alloca i32
  %first = load atomic i32, ptr addrspace(1) %p monotonic, align 4
  br label %loop, !dbg !6
loop:
  %old = phi i32 [ %first, %entry ], [ %now, %loop ]
  store i32 %old, ptr %number
  %before = load float, ptr %number
  %sum = fadd float %before, %x
  %bits = bitcast float %sum to i32
  %pair = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %bits monotonic monotonic, !dbg !6
  %now = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  %product = fmul float %sum, %x
  %others = bitcast float %product to i32
  cmpxchg ptr addrspace(1) %p, i32 %old, i32 %others monotonic monotonic
  %another = fadd float %x, 1.0
  %more = bitcast float %another to i32
  cmpxchg ptr addrspace(1) %p, i32 %old, i32 %more monotonic monotonic
  ret void
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
