; An array whose elements all work-items set and read together: these lie side by side in memory, where they cost no
; more than in registers, and the loops that go over it stay. Where not all set one it goes to registers.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -target=avx512 %s | FileCheck %s
; RUN: sed 's/i1 true/i1 %odd/' %s | us-opt -passes=vectorize_work_items -kernel=k -target=avx512 | FileCheck %s --check-prefix=APART

; CHECK-LABEL: @k
; CHECK: %array.lanes = alloca [512 x i8], align 64
; CHECK: sets.wide:
; CHECK: store <16 x i32> {{.*}}, align 64
; CHECK: add.wide:
; CHECK: load <16 x i32>, {{.*}}, align 64
; CHECK: rest:

; APART-LABEL: @k
; APART: wide:
; APART-NOT: %array
; APART: rest:
define void @k(ptr %in, ptr %out) {
entry:
  %array = alloca [8 x i32], !us.private !2
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %odd = trunc i64 %i to i1
  br label %read
read:
  %r = phi i64 [ 0, %items ], [ %r.next, %set ]
  %row = mul i64 %r, 64
  %pixel = add i64 %row, %i
  %from = getelementptr i32, ptr %in, i64 %pixel
  %x = load i32, ptr %from
  br i1 true, label %sets, label %set
sets:
  %to = getelementptr i32, ptr %array, i64 %r
  store i32 %x, ptr %to
  br label %set
set:
  %r.next = add nuw nsw i64 %r, 1
  %r.more = icmp ult i64 %r.next, 8
  br i1 %r.more, label %read, label %add
add:
  %sum = phi i32 [ 0, %set ], [ %more.sum, %add ]
  %s = phi i64 [ 0, %set ], [ %s.next, %add ]
  %at = getelementptr i32, ptr %array, i64 %s
  %y = load i32, ptr %at
  %thrice = mul i32 %sum, 3
  %more.sum = add i32 %thrice, %y
  %s.next = add nuw nsw i64 %s, 1
  %s.more = icmp ult i64 %s.next, 8
  br i1 %s.more, label %add, label %end
end:
  %goes = getelementptr i32, ptr %out, i64 %i
  store i32 %more.sum, ptr %goes
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
!2 = !{}
