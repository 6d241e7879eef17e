; A side that few work-items take, as the branch's weights say, is one that few vectors take: the jump past it is likely,
; so what the others need stays in registers. Of a side without weights nothing is said.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: wide:
; CHECK: br i1 %any{{.*}}, label %rare.wide, label %common.wide, !prof [[RARE:![0-9]+]]
; CHECK: br i1 %any{{.*}}, label %often.wide, label %end.wide{{$}}
; CHECK: [[RARE]] = !{!"branch_weights", i32 1, i32 {{[0-9]+}}}
define void @k(ptr %in, ptr %out) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %end ]
  %from = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %from
  %is.rare = icmp sgt i32 %x, 1000
  br i1 %is.rare, label %rare, label %common, !prof !2
rare:
  %a = udiv i32 %x, 7
  %b = mul i32 %a, %a
  store i32 %b, ptr %from
  br label %common
common:
  %y = phi i32 [ %x, %items ], [ %b, %rare ]
  %is.often = icmp sgt i32 %y, 10
  br i1 %is.often, label %often, label %end
often:
  %c = udiv i32 %y, 9
  %d = mul i32 %c, %c
  store i32 %d, ptr %from
  br label %end
end:
  %z = phi i32 [ %y, %common ], [ %d, %often ]
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %z, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
!2 = !{!"branch_weights", i32 1, i32 2000}
