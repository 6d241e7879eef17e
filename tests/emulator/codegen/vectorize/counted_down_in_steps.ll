; As filled_in_steps, but the numbers fall while the lanes' rise, so the first lane's, whom nobody may ask any more, may
; have wrapped where those of others have not: places are calculated for each lane.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK: zext <[[LANES:[0-9]+]] x i32> {{%.*}} to <[[LANES]] x i64>
; CHECK: call void @llvm.masked.scatter
define void @k(ptr %out) {
entry:
  br label %items
items:
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %begin = add nuw nsw i32 %i, 1000
  br label %fill
fill:
  %l = phi i32 [ %begin, %items ], [ %l1, %fill ]
  %long = zext i32 %l to i64
  %to = getelementptr inbounds i32, ptr %out, i64 %long
  store i32 1, ptr %to
  %l1 = add nsw i32 %l, -64
  %more = icmp ugt i32 %l, 100
  br i1 %more, label %fill, label %end
end:
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 64
  br i1 %again, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
