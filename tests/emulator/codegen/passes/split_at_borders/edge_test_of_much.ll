; Work-items at the ends of a row do nothing, others much: where masks cost little that is not worth a second loop.
; RUN: us-opt -passes=split_at_borders -kernel=k -target=avx512 %s | FileCheck %s
; RUN: us-opt -passes=split_at_borders -kernel=k -target=avx2 %s | FileCheck %s --check-prefix=SPLIT

; CHECK-LABEL: @k
; CHECK-NOT: inside
; SPLIT-LABEL: @k
; SPLIT: items.inside:
define void @k(ptr %out, i32 %first, i32 %count, i32 %last) {
entry:
  br label %items
items:
  %i = phi i32 [ 0, %entry ], [ %i.next, %end ]
  %x = phi i32 [ %first, %entry ], [ %x.next, %end ]
  %before = icmp slt i32 %x, 1
  %behind = icmp sge i32 %x, %last
  %outside = select i1 %before, i1 true, i1 %behind
  br i1 %outside, label %end, label %body
body:
  %own = sext i32 %x to i64
  %to = getelementptr i32, ptr %out, i64 %own
  %a0 = mul i32 %x, %last
  %a1 = mul i32 %a0, %last
  %a2 = mul i32 %a1, %last
  %a3 = mul i32 %a2, %last
  %a4 = mul i32 %a3, %last
  %a5 = mul i32 %a4, %last
  %a6 = mul i32 %a5, %last
  %a7 = mul i32 %a6, %last
  %a8 = mul i32 %a7, %last
  %a9 = mul i32 %a8, %last
  %a10 = mul i32 %a9, %last
  %a11 = mul i32 %a10, %last
  %a12 = mul i32 %a11, %last
  %a13 = mul i32 %a12, %last
  %a14 = mul i32 %a13, %last
  %a15 = mul i32 %a14, %last
  %a16 = mul i32 %a15, %last
  %a17 = mul i32 %a16, %last
  %a18 = mul i32 %a17, %last
  %a19 = mul i32 %a18, %last
  %a20 = mul i32 %a19, %last
  %a21 = mul i32 %a20, %last
  %a22 = mul i32 %a21, %last
  %a23 = mul i32 %a22, %last
  %a24 = mul i32 %a23, %last
  %a25 = mul i32 %a24, %last
  %a26 = mul i32 %a25, %last
  %a27 = mul i32 %a26, %last
  %a28 = mul i32 %a27, %last
  %a29 = mul i32 %a28, %last
  %a30 = mul i32 %a29, %last
  %a31 = mul i32 %a30, %last
  %a32 = mul i32 %a31, %last
  %a33 = mul i32 %a32, %last
  %a34 = mul i32 %a33, %last
  %a35 = mul i32 %a34, %last
  %a36 = mul i32 %a35, %last
  %a37 = mul i32 %a36, %last
  %a38 = mul i32 %a37, %last
  %a39 = mul i32 %a38, %last
  store i32 %a39, ptr %to
  br label %end
end:
  %i.next = add nuw nsw i32 %i, 1
  %x.next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %i.next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
