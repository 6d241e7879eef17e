; Rows of 16 columns by one number: what the row decides is the same for 16 work-items side by side, who go round a loop
; as one, without a mask; the columns lie side by side. With rows of 4 they part.
; RUN: us-opt -passes=vectorize_work_items -kernel=rows16 -vector-plan=1 %s | FileCheck %s
; RUN: us-opt -passes=vectorize_work_items -kernel=rows4 -vector-plan=1 %s | FileCheck --check-prefix=PART %s

; CHECK-LABEL: @rows16
; CHECK: lshr i64 %{{.*}}, 4
; CHECK: load <16 x float>
; CHECK-NOT: select <16 x i1>
; CHECK-NOT: mask
; CHECK: wide.done
define void @rows16(ptr %tile, ptr %out) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %y = lshr i64 %i, 4
  %x = and i64 %i, 15
  br label %turn
turn:
  %k = phi i64 [ 0, %items ], [ %k1, %turn ]
  %s = phi float [ 0.0, %items ], [ %s1, %turn ]
  %p = getelementptr [16 x float], ptr %tile, i64 %k, i64 %x
  %v = load float, ptr %p
  %s1 = fadd float %s, %v
  %k1 = add i64 %k, 1
  %more = icmp ule i64 %k1, %y
  br i1 %more, label %turn, label %end
end:
  %q = getelementptr float, ptr %out, i64 %i
  store float %s1, ptr %q
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, 256
  br i1 %again, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; PART-LABEL: @rows4
; PART: masked.gather
define void @rows4(ptr %tile, ptr %out) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %y = lshr i64 %i, 2
  %x = and i64 %i, 3
  br label %turn
turn:
  %k = phi i64 [ 0, %items ], [ %k1, %turn ]
  %s = phi float [ 0.0, %items ], [ %s1, %turn ]
  %p = getelementptr [4 x float], ptr %tile, i64 %k, i64 %x
  %v = load float, ptr %p
  %s1 = fadd float %s, %v
  %k1 = add i64 %k, 1
  %more = icmp ule i64 %k1, %y
  br i1 %more, label %turn, label %end
end:
  %q = getelementptr float, ptr %out, i64 %i
  store float %s1, ptr %q
  %next = add nuw nsw i64 %i, 1
  %again = icmp ult i64 %next, 256
  br i1 %again, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
