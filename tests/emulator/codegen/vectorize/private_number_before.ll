; Of private memory the loop has only a number, made of its address before: each lane's memory is at another one.
; RUN: us-opt -passes=vectorize_work_items -kernel=k -vector-plan=1 %s | FileCheck %s

; CHECK-LABEL: @k
; CHECK-NOT: .lanes
; CHECK-NOT: <16 x i32>
define void @k(ptr %in, ptr %out) {
entry:
  %memory = alloca [8 x i32]
  %number = ptrtoint ptr %memory to i64
  %at = inttoptr i64 %number to ptr addrspace(4)
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %from = getelementptr i32, ptr %in, i64 %i
  %x = load i32, ptr %from
  store i32 %x, ptr addrspace(4) %at
  %y = load i32, ptr addrspace(4) %at
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %y, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
