; Each block counts itself at an address of its own, behind what has to be first in it, and says what each of its lines
; does; what was inlined counts for itself where it is of the same file, and for the line of its call where it is not.
; RUN: us-opt -passes=count_lines -counters=4096 -kernel=k %s | FileCheck %s
; RUN: us-opt -passes=count_lines -kernel=k %s | FileCheck %s --check-prefix=NONE
; NONE-NOT: atomicrmw
; NONE-NOT: us.counted

; CHECK-LABEL: define void @k(
; CHECK:      entry:
; CHECK-NEXT: %local = alloca i32
; CHECK-NEXT: atomicrmw add ptr addrspace(1) inttoptr (i64 4096 to ptr addrspace(1)), i64 1 monotonic, align 8
; CHECK:      loop:
; CHECK-NEXT: %i = phi i32
; CHECK-NEXT: atomicrmw add ptr addrspace(1) inttoptr (i64 4104 to ptr addrspace(1)), i64 1 monotonic, align 8
; CHECK:      end:
; CHECK-NEXT: atomicrmw add ptr addrspace(1) inttoptr (i64 4112 to ptr addrspace(1)), i64 1 monotonic, align 8
; CHECK-NEXT: ret void

; File, counter, copy, line; operations of floating-point and of whole numbers; bytes read and written.
; CHECK: !us.counted = !{
; CHECK: !{!"k.cl", i64 0, i64 0, i64 2, i64 0, i64 0, i64 0, i64 0}
; CHECK: !{!"k.cl", i64 1, i64 0, i64 3, i64 0, i64 1, i64 0, i64 0}
; CHECK: !{!"k.cl", i64 1, i64 0, i64 4, i64 8, i64 0, i64 16, i64 16}
; CHECK: !{!"k.cl", i64 1, i64 {{[1-9]}}, i64 9, i64 2, i64 0, i64 0, i64 0}
; CHECK: !{!"k.cl", i64 1, i64 0, i64 5, i64 1, i64 0, i64 0, i64 0}
; CHECK: !{!"k.cl", i64 2, i64 0, i64 6, i64 0, i64 0, i64 0, i64 0}
define void @k(ptr addrspace(1) %p, i32 %n, float %f) !dbg !4 {
entry:
  %local = alloca i32
  store i32 7, ptr %local, !dbg !6
  br label %loop, !dbg !6
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1, !dbg !7
  %x = load <4 x float>, ptr addrspace(1) %p, !dbg !8
  %y = call <4 x float> @llvm.fma.v4f32(<4 x float> %x, <4 x float> %x, <4 x float> %x), !dbg !8
  store <4 x float> %y, ptr addrspace(1) %p, !dbg !8
  %a = fadd float %f, %f, !dbg !12
  %b = fmul float %a, %f, !dbg !12
  %c = fsub float %b, %f, !dbg !15
  %more = icmp ult i32 %next, %n, !dbg !7
  br i1 %more, label %loop, label %end, !dbg !7
end:
  ret void, !dbg !9
}
declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cl", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 2, scope: !4)
!7 = !DILocation(line: 3, scope: !4)
!8 = !DILocation(line: 4, scope: !4)
!9 = !DILocation(line: 6, scope: !4)
!10 = distinct !DISubprogram(name: "own", file: !1, line: 8, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!11 = distinct !DILocation(line: 5, scope: !4)
!12 = !DILocation(line: 9, scope: !10, inlinedAt: !11)
!13 = !DIFile(filename: "library.cl", directory: "/")
!14 = distinct !DISubprogram(name: "library", file: !13, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!15 = !DILocation(line: 99, scope: !14, inlinedAt: !11)
