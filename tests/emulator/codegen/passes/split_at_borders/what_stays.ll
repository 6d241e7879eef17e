; Few work-items; a limit of a value, not of a place; a bound that changes; an equality with what is no edge.
; RUN: us-opt -passes=split_at_borders -kernel=few -target=avx2 %s | FileCheck %s
; RUN: us-opt -passes=split_at_borders -kernel=value -target=avx2 %s | FileCheck %s
; RUN: us-opt -passes=split_at_borders -kernel=changing -target=avx2 %s | FileCheck %s
; RUN: us-opt -passes=split_at_borders -kernel=equal -target=avx2 %s | FileCheck %s
; CHECK-NOT: {{^}}border

define void @few(ptr %p, i32 %last) {
entry:
  br label %items
items:
  %x = phi i32 [ 0, %entry ], [ %next, %items ]
  %place = call i32 @llvm.umin.i32(i32 %x, i32 %last)
  %to = getelementptr i32, ptr %p, i32 %place
  store i32 %x, ptr %to
  %next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %next, 64
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @value(ptr %p, i32 %count, i32 %last) {
entry:
  br label %items
items:
  %x = phi i32 [ 0, %entry ], [ %next, %items ]
  %value = call i32 @llvm.umin.i32(i32 %x, i32 %last)
  %to = getelementptr i32, ptr %p, i32 %x
  store i32 %value, ptr %to
  %next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @changing(ptr %p, i32 %count) {
entry:
  br label %items
items:
  %x = phi i32 [ 0, %entry ], [ %next, %items ]
  %from = getelementptr i32, ptr %p, i32 %x
  %last = load i32, ptr %from
  %place = call i32 @llvm.umin.i32(i32 %x, i32 %last)
  %to = getelementptr i32, ptr %p, i32 %place
  store i32 %x, ptr %to
  %next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}

define void @equal(ptr %p, i32 %count, i32 %one) {
entry:
  br label %items
items:
  %x = phi i32 [ 0, %entry ], [ %next, %end ]
  %is = icmp eq i32 %x, %one
  br i1 %is, label %end, label %body
body:
  %to = getelementptr i32, ptr %p, i32 %x
  store i32 %x, ptr %to
  br label %end
end:
  %next = add nuw nsw i32 %x, 1
  %more = icmp ult i32 %next, %count
  br i1 %more, label %items, label %done, !llvm.loop !0
done:
  ret void
}
declare i32 @llvm.umin.i32(i32, i32)
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
