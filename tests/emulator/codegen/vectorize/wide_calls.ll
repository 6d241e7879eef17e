; What a sub-group calculates of all its values is one call of vectors, of which each part is taken; short ones are
; code. Sums that are put in columns before a product and in rows behind it stay in columns round a loop, and what the
; product before was given is not stored again.
; RUN: us-opt -passes=vectorize_work_items -kernel=k %s | FileCheck %s

; CHECK-LABEL: define void @k(
; CHECK: [[HIGH:%.*]] = phi <32 x float> [ zeroinitializer, {{.*}} ], [ [[P1:%.*]], {{.*}} ]
; CHECK: [[LOW:%.*]] = phi <32 x float> [ zeroinitializer, {{.*}} ], [ [[P0:%.*]], {{.*}} ]
; CHECK: store <32 x float>
; CHECK: [[ONE:%.*]] = call{{.*}} <64 x float> @us_wide_sums({{.*}}, <32 x float> [[LOW]], <32 x float> [[HIGH]])
; CHECK: [[S0:%.*]] = shufflevector <64 x float> [[ONE]]
; CHECK: [[S1:%.*]] = shufflevector <64 x float> [[ONE]]
; CHECK-NEXT: [[TWO:%.*]] = call{{.*}} <64 x float> @us_wide_sums({{.*}}, <32 x float> [[S0]], <32 x float> [[S1]])
; CHECK-NEXT: [[P0]] = shufflevector <64 x float> [[TWO]]
; CHECK-NEXT: [[P1]] = shufflevector <64 x float> [[TWO]]
; CHECK-NOT: shufflevector
; CHECK: br i1
; CHECK: shufflevector <32 x float>
; CHECK: store <32 x float>
target triple = "x86_64-unknown-linux-gnu"
declare i32 @us.sub_group_sync(i32, i32) convergent
define internal <64 x float> @us_wide_matrix_rows(<32 x float> %low, <32 x float> %high) memory(none) nounwind willreturn {
  %both = shufflevector <32 x float> %high, <32 x float> %low, <64 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
  ret <64 x float> %both
}
define internal float @us_lanes_matrix_rows(float %low, float %high, i32 %part) memory(none) nounwind willreturn {
  %both = call <64 x float> @us_wide_matrix_rows(<32 x float> zeroinitializer, <32 x float> zeroinitializer)
  %one = extractelement <64 x float> %both, i32 %part
  ret float %one
}
define internal <64 x float> @us_wide_sums(ptr %factors, <32 x float> %low, <32 x float> %high) memory(argmem: read) nounwind willreturn {
entry:
  %factor = load <64 x float>, ptr %factors
  %both = shufflevector <32 x float> %high, <32 x float> %low, <64 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>
  br label %again
again:
  %turn = phi i32 [ 0, %entry ], [ %next, %again ]
  %sum = phi <64 x float> [ %both, %entry ], [ %more, %again ]
  %more = fadd <64 x float> %sum, %factor
  %next = add i32 %turn, 1
  %goes = icmp ult i32 %next, 100
  br i1 %goes, label %again, label %done
done:
  ret <64 x float> %more
}
define internal float @us_lanes_sums(ptr %factors, float %low, float %high, i32 %part) memory(argmem: read) nounwind willreturn {
  %both = call <64 x float> @us_wide_sums(ptr %factors, <32 x float> zeroinitializer, <32 x float> zeroinitializer)
  %one = extractelement <64 x float> %both, i32 %part
  ret float %one
}
define void @k(ptr %out, ptr %in, ptr %words) {
entry:
  br label %items
items:
  %local = phi i64 [ 0, %entry ], [ %next, %latch ]
  br label %item
item:
  %there = call i32 @us.sub_group_sync(i32 1, i32 -1)
  %from = getelementptr float, ptr %in, i64 %local
  %factor = load float, ptr %from
  %lane = and i64 %local, 31
  %word = getelementptr float, ptr %words, i64 %lane
  br label %turns
turns:
  %turn = phi i32 [ 0, %item ], [ %later, %turns ]
  %low = phi float [ 0.0, %item ], [ %d0, %turns ]
  %high = phi float [ 0.0, %item ], [ %d1, %turns ]
  %c0 = call float @us_lanes_matrix_rows(float %low, float %high, i32 0)
  %c1 = call float @us_lanes_matrix_rows(float %low, float %high, i32 1)
  store float %factor, ptr %word
  %s0 = call float @us_lanes_sums(ptr %words, float %c0, float %c1, i32 0)
  %s1 = call float @us_lanes_sums(ptr %words, float %c0, float %c1, i32 1)
  %b0 = call float @us_lanes_matrix_rows(float %s0, float %s1, i32 0)
  %b1 = call float @us_lanes_matrix_rows(float %s0, float %s1, i32 1)
  %c2 = call float @us_lanes_matrix_rows(float %b0, float %b1, i32 0)
  %c3 = call float @us_lanes_matrix_rows(float %b0, float %b1, i32 1)
  store float %factor, ptr %word
  %s2 = call float @us_lanes_sums(ptr %words, float %c2, float %c3, i32 0)
  %s3 = call float @us_lanes_sums(ptr %words, float %c2, float %c3, i32 1)
  %d0 = call float @us_lanes_matrix_rows(float %s2, float %s3, i32 0)
  %d1 = call float @us_lanes_matrix_rows(float %s2, float %s3, i32 1)
  %later = add nuw nsw i32 %turn, 1
  %goes = icmp ult i32 %later, 100
  br i1 %goes, label %turns, label %behind
behind:
  %sum = fadd float %d0, %d1
  %to = getelementptr float, ptr %out, i64 %local
  store float %sum, ptr %to
  br label %latch
latch:
  %next = add nuw nsw i64 %local, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
