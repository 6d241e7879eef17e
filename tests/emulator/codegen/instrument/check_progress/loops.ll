; Rounds are counted where nobody knows that a loop ends, asked about in front of one that may count very far, and told by
; one that waits, with whether it has changed anything.
; RUN: us-opt -passes=check_progress -checks=progress -kernel=k %s | FileCheck %s
; RUN: us-opt -passes=check_progress -checks=memory -kernel=k %s | FileCheck %s --check-prefix=NONE
; NONE-NOT: call void @us.check_failed
; NONE: call void @us.yield

; CHECK-LABEL: define void @k(
; CHECK:      counted:
; CHECK-NOT:  call void @us.check_failed
; CHECK:      far:
; CHECK-NEXT: %[[ROUNDS:.*]] = add i64 %m, -1
; CHECK-NEXT: icmp ugt i64 %[[ROUNDS]], 4294967296
; CHECK:      call void @us.check_failed(i32 6, ptr addrspace(2) @us.site.{{.*}}, i64 %[[ROUNDS]], i64 0, i64 0)
; CHECK:      long:
; CHECK-NOT:  call void @us.check_failed
; CHECK:      steps:
; CHECK:      %[[COUNT:.*]] = add i64 %{{.*}}, 1
; CHECK-NEXT: and i64 %[[COUNT]], 65535
; CHECK:      call void @us.check_failed(i32 6, ptr addrspace(2) @us.site.{{.*}}, i64 %[[COUNT]], i64 0, i64 0)
; CHECK:      spin:
; CHECK:      %[[ADDRESS:.*]] = ptrtoint ptr addrspace(1) %p to i64
; CHECK:      call void @us.watch(i32 0, i64 %[[ADDRESS]], i32 4)
; CHECK:      lock:
; CHECK:      icmp ne i32 %old, 1
; CHECK:      icmp ne i32 %tries, %tries.next
; CHECK:      %[[CHANGED:.*]] = or i32
; CHECK-NEXT: call void @us.watch(i32 %[[CHANGED]],
; CHECK-NOT:  us.yield()
; CHECK:      ret void
define void @k(ptr addrspace(1) %p, i32 %n, i64 %m, i32 %step) !dbg !4 {
entry:
  br label %counted
counted:
  %i = phi i32 [ 0, %entry ], [ %i.next, %counted ]
  store volatile i32 %i, ptr addrspace(1) %p
  %i.next = add nuw i32 %i, 1
  %i.more = icmp ult i32 %i.next, %n
  br i1 %i.more, label %counted, label %far
far:
  br label %long
long:
  %j = phi i64 [ 0, %far ], [ %j.next, %long ]
  store volatile i64 %j, ptr addrspace(1) %p
  %j.next = add i64 %j, 1
  %j.more = icmp ne i64 %j.next, %m
  br i1 %j.more, label %long, label %unknown
unknown:
  br label %steps
steps:
  %k = phi i32 [ 0, %unknown ], [ %k.next, %steps ]
  store volatile i32 %k, ptr addrspace(1) %p
  %k.next = add i32 %k, %step
  %k.more = icmp ult i32 %k.next, %n
  br i1 %k.more, label %steps, label %wait, !dbg !7
wait:
  br label %spin
spin:
  %v = load atomic i32, ptr addrspace(1) %p acquire, align 4
  %stays = icmp eq i32 %v, 0
  br i1 %stays, label %again, label %lock
again:
  call void @us.yield(), !dbg !8
  br label %spin
lock:
  %tries = phi i32 [ 0, %spin ], [ %tries.next, %retry ]
  %old = atomicrmw xchg ptr addrspace(1) %p, i32 1 acquire
  %taken = icmp eq i32 %old, 0
  br i1 %taken, label %exit, label %retry
retry:
  %tries.next = add i32 %tries, 1
  call void @us.yield(), !dbg !8
  br label %lock
exit:
  ret void
}
declare void @us.yield()
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cl", directory: ".")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = !DILocation(line: 7, column: 3, scope: !4)
!8 = !DILocation(line: 9, column: 5, scope: !4)
