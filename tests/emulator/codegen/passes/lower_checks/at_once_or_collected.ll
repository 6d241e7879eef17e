; In the loop tier the kernel's own checks stay, to be collected; but for what only the first work-item does. In the fiber tier,
; and in functions that stay calls, a failing check writes to its mark: 0x5a71 and the number of its kind.
; RUN: us-opt -passes=lower_checks -kernel=k -tier=loop %s | FileCheck %s
; RUN: us-opt -passes=lower_checks -kernel=k -tier=fiber %s | FileCheck %s --check-prefix=FIBER
target triple = "x86_64-pc-linux-gnu"
declare void @us.check(i32, i64)
declare i64 @us.local_id(i32)

; CHECK-LABEL: @k
; CHECK:       call void @us.check(i32 0, i64 %bits)
; CHECK-NEXT:  %id = call
; CHECK:       guarded:
; CHECK-NOT:   us.check
; CHECK:       [[WRONG:%.*]] = icmp ne i64 %bits, 0
; CHECK:       br i1 [[WRONG]]
; CHECK:       store volatile i8 0, ptr inttoptr (i64 23153 to ptr)
; CHECK-NEXT:  unreachable
; FIBER-LABEL: @k
; FIBER-NOT:   us.check
; FIBER:       icmp ne i64 %bits, 0
; FIBER:       store volatile i8 0, ptr inttoptr (i64 23153 to ptr)
; FIBER:       %id = call
; FIBER-NOT:   us.check
; FIBER:       store volatile i8 0, ptr inttoptr (i64 23153 to ptr)
; FIBER:       ret void
define spir_kernel void @k(i64 %bits) {
  call void @us.check(i32 0, i64 %bits)
  %id = call i64 @us.local_id(i32 0)
  %first = icmp eq i64 %id, 0
  br i1 %first, label %guarded, label %end
guarded:
  call void @us.check(i32 0, i64 %bits)
  br label %end
end:
  ret void
}

; CHECK-LABEL: @called
; CHECK-NOT:   us.check
; CHECK:       store volatile i8 0, ptr inttoptr (i64 23153 to ptr)
define internal void @called(i64 %bits) {
  call void @us.check(i32 0, i64 %bits)
  ret void
}
