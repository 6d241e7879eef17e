; Steps of a size that is not known, in 32 bits of which LLVM has made 64: they are of 32 bits again, which differ by one
; from a lane to the next, so places are likely to be side by side.
; RUN: us-opt -passes=vectorize_work_items -kernel=unsigned -target=avx512 %s | FileCheck %s
; RUN: us-opt -passes=vectorize_work_items -kernel=signed -target=avx512 %s | FileCheck --check-prefix=SIGNED %s

; CHECK-LABEL: @unsigned
; CHECK: [[K:%k.*]] = phi i32
; CHECK: [[FIRST:%.*]] = freeze i32 [[K]]
; CHECK: zext i32 [[FIRST]] to i64
; CHECK: call <16 x float> @llvm.masked.load
; CHECK: [[SIZE:%.*]] = trunc i64 %size to i32
; CHECK: [[NEXT:%.*]] = add i32 [[K]], [[SIZE]]
; CHECK: wide.done
define void @unsigned(ptr %in, ptr %out, i32 %n, i64 %size) {
entry:
  br label %items
items:
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %begin = zext i32 %i to i64
  br label %turn
turn:
  %k = phi i64 [ %begin, %items ], [ %k1, %turn ]
  %low = and i64 %k, 4294967295
  %p = getelementptr inbounds float, ptr %in, i64 %low
  %x = load float, ptr %p
  %y = fadd float %x, 1.0
  %q = getelementptr inbounds float, ptr %out, i64 %low
  store float %y, ptr %q
  %k1 = add i64 %low, %size
  %short = trunc i64 %k1 to i32
  %more = icmp ult i32 %short, %n
  br i1 %more, label %turn, label %end
end:
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 64
  br i1 %again, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; SIGNED-LABEL: @signed
; SIGNED: [[K:%k.*]] = phi i32
; SIGNED: [[FIRST:%.*]] = freeze i32 [[K]]
; SIGNED: sext i32 [[FIRST]] to i64
; SIGNED: call <16 x float> @llvm.masked.load
; SIGNED: wide.done
define void @signed(ptr %in, ptr %out, i32 %n, i64 %size) {
entry:
  br label %items
items:
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %begin = zext i32 %i to i64
  br label %turn
turn:
  %k = phi i64 [ %begin, %items ], [ %k1, %turn ]
  %upper = shl i64 %k, 32
  %low = ashr exact i64 %upper, 32
  %p = getelementptr inbounds float, ptr %in, i64 %low
  %x = load float, ptr %p
  %y = fadd float %x, 1.0
  %q = getelementptr inbounds float, ptr %out, i64 %low
  store float %y, ptr %q
  %k1 = add i64 %low, %size
  %short = trunc i64 %k1 to i32
  %more = icmp slt i32 %short, %n
  br i1 %more, label %turn, label %end
end:
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 64
  br i1 %again, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
