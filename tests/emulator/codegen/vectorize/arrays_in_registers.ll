; An array with few elements: the loop that goes over it is taken apart, elements become values, and one whose index is
; chosen is chosen with it. No memory is left, and nothing is gathered or scattered.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -target=avx512 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: wide:
; CHECK-NOT: scatter
; CHECK-NOT: gather
; CHECK: call <64 x i8> @llvm.umin.v64i8(
; CHECK: [[LEAST:%.*]] = call <64 x i8> @llvm.umin.v64i8(
; CHECK: [[LESS:%.*]] = icmp ult <64 x i8> [[LAST:%.*]], [[LEAST]]
; CHECK: select <64 x i1> [[LESS]], <64 x i8> zeroinitializer, <64 x i8> [[LAST]]
; CHECK-NOT: gather
; CHECK-NOT: scatter
; CHECK: rest:
define void @k(ptr %in, ptr %out) {
entry:
  %array = alloca [4 x i8], !us.private !2
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  br label %read
read:
  %r = phi i64 [ 0, %items ], [ %r.next, %read ]
  %row = mul i64 %r, 64
  %pixel = add i64 %row, %i
  %from = getelementptr i8, ptr %in, i64 %pixel
  %x = load i8, ptr %from
  %to = getelementptr i8, ptr %array, i64 %r
  store i8 %x, ptr %to
  %r.next = add nuw nsw i64 %r, 1
  %r.more = icmp ult i64 %r.next, 4
  br i1 %r.more, label %read, label %select
select:
  %least = phi i32 [ 0, %read ], [ %lesser, %select ]
  %s = phi i64 [ 1, %read ], [ %s.next, %select ]
  %at = getelementptr i8, ptr %array, i64 %s
  %y = load i8, ptr %at
  %least.long = zext i32 %least to i64
  %at.least = getelementptr i8, ptr %array, i64 %least.long
  %z = load i8, ptr %at.least
  %less = icmp ult i8 %y, %z
  %s.short = trunc i64 %s to i32
  %lesser = select i1 %less, i32 %s.short, i32 %least
  %s.next = add nuw nsw i64 %s, 1
  %s.more = icmp ult i64 %s.next, 4
  br i1 %s.more, label %select, label %end
end:
  %lesser.long = zext i32 %lesser to i64
  %at.lesser = getelementptr i8, ptr %array, i64 %lesser.long
  store i8 0, ptr %at.lesser
  %last = getelementptr i8, ptr %array, i64 3
  %result = load i8, ptr %last
  %goes = getelementptr i8, ptr %out, i64 %i
  store i8 %result, ptr %goes
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
!2 = !{}
