; Work-items that begin at a multiple of their number are all below another multiple, or none is: they do not part, and
; nothing has a mask. Below another number they part.
; RUN: us-opt -passes=vectorize_work_items -kernel=alike -vector-plan=1 %s | FileCheck %s
; RUN: us-opt -passes=vectorize_work_items -kernel=apart -vector-plan=1 %s | FileCheck --check-prefix=PART %s

; CHECK-LABEL: @alike
; CHECK: wide:
; CHECK-NOT: masked
; CHECK: store <16 x i32>
; CHECK-NOT: masked
; CHECK: wide.done
define void @alike(ptr %in, ptr %out) {
entry:
  br label %items
items:
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %l = zext nneg i32 %i to i64
  %few = icmp ult i32 %i, 32
  br i1 %few, label %some, label %end
some:
  %p = getelementptr i32, ptr %in, i64 %l
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %out, i64 %l
  store i32 %v, ptr %q
  br label %end
end:
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 256
  br i1 %again, label %items, label %done, !llvm.loop !0
done:
  ret void
}

; PART-LABEL: @apart
; PART: call void @llvm.masked.store
define void @apart(ptr %in, ptr %out) {
entry:
  br label %items
items:
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %l = zext nneg i32 %i to i64
  %few = icmp ult i32 %i, 40
  br i1 %few, label %some, label %end
some:
  %p = getelementptr i32, ptr %in, i64 %l
  %v = load i32, ptr %p
  %q = getelementptr i32, ptr %out, i64 %l
  store i32 %v, ptr %q
  br label %end
end:
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, 256
  br i1 %again, label %items, label %done, !llvm.loop !0
done:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"us.work_items"}
