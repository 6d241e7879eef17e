; Processors gather words, not bytes: of an element that lies in one word, that is gathered. One that may lie in two is
; gathered as it is, and so is any where the processor has no gathers.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 -target=avx512 %s | FileCheck %s
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 -target=sse4.2 %s | FileCheck --check-prefix=NONE %s

; CHECK-LABEL: @k
; CHECK: [[WORDS:%.*]] = call <16 x ptr> @llvm.ptrmask.v16p0.v16i64(<16 x ptr> [[AT:%.*]], <16 x i64> <i64 -4,
; CHECK: [[ALL:%.*]] = call <16 x i32> @llvm.masked.gather.v16i32.v16p0(<16 x ptr> [[WORDS]], i32 4,
; CHECK: [[NUMBER:%.*]] = ptrtoint <16 x ptr> [[AT]] to <16 x i32>
; CHECK: [[WITHIN:%.*]] = and <16 x i32> [[NUMBER]], <i32 3,
; CHECK: [[BITS:%.*]] = shl <16 x i32> [[WITHIN]], <i32 3,
; CHECK: [[MOVED:%.*]] = lshr <16 x i32> [[ALL]], [[BITS]]
; CHECK: trunc <16 x i32> [[MOVED]] to <16 x i8>
; CHECK: call <16 x i16> @llvm.masked.gather.v16i16
; NONE: call <16 x i8> @llvm.masked.gather.v16i8
define void @k(ptr %in, ptr %table, ptr %out) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %from = getelementptr i32, ptr %in, i64 %i
  %index = load i32, ptr %from
  %place = zext i32 %index to i64
  %at = getelementptr i8, ptr %table, i64 %place
  %byte = load i8, ptr %at
  %apart = load i16, ptr %at, align 1
  %long = zext i8 %byte to i16
  %sum = add i16 %long, %apart
  %to = getelementptr i16, ptr %out, i64 %i
  store i16 %sum, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
