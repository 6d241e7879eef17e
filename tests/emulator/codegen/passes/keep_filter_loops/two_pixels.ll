; Two pixels of a place: the loop stays. One pixel: it may be unrolled.
; RUN: us-opt -passes=keep_filter_loops -kernel=k %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: filtered:
; CHECK: br i1 {{.*}}, label %nearest, label %filtered, !llvm.loop [[LOOP:![0-9]+]]
; CHECK: nearest:
; CHECK: br i1 {{.*}}, label %done, label %nearest
; CHECK-NOT: !llvm.loop
; CHECK: done:
; CHECK: [[LOOP]] = distinct !{[[LOOP]], [[DISABLE:![0-9]+]]}
; CHECK: [[DISABLE]] = !{!"llvm.loop.unroll.disable", i32 1}
define void @k(ptr %in, ptr %out, float %x) {
entry:
  br label %filtered
filtered:
  %i = phi i32 [ 0, %entry ], [ %i.next, %filtered ]
  %number = sitofp i32 %i to float
  %coordinate = fadd float %number, %x
  %low = fptosi float %coordinate to i32
  %high = add i32 %low, 1
  %first = getelementptr <4 x i8>, ptr %in, i32 %low
  %second = getelementptr <4 x i8>, ptr %in, i32 %high
  %a = load <4 x i8>, ptr %first
  %b = load <4 x i8>, ptr %second
  %sum = add <4 x i8> %a, %b
  store <4 x i8> %sum, ptr %out
  %i.next = add i32 %i, 1
  %end = icmp eq i32 %i.next, 3
  br i1 %end, label %nearest, label %filtered
nearest:
  %j = phi i32 [ 0, %filtered ], [ %j.next, %nearest ]
  %number.j = sitofp i32 %j to float
  %coordinate.j = fadd float %number.j, %x
  %place = fptosi float %coordinate.j to i32
  %pixel = getelementptr <4 x i8>, ptr %in, i32 %place
  %c = load <4 x i8>, ptr %pixel
  store <4 x i8> %c, ptr %out
  %j.next = add i32 %j, 1
  %end.j = icmp eq i32 %j.next, 3
  br i1 %end.j, label %done, label %nearest
done:
  ret void
}
