; Private memory becomes values; an array stays whole if an index of it is chosen.
; RUN: us-opt -passes=split_memory -kernel=k -tier=loop %s | FileCheck %s
; RUN: us-opt -passes=split_memory -kernel=k -tier=fiber %s | FileCheck %s --check-prefix=SPLIT

; CHECK-LABEL: @k
; CHECK: %array = alloca [4 x float]
; CHECK-NOT: alloca
; CHECK: phi ptr
; SPLIT-LABEL: @k
; SPLIT-NOT: alloca [4 x float]
; SPLIT: alloca float
define void @k(ptr %in, ptr %out, i1 %less) {
  %array = alloca [4 x float]
  %scalar = alloca i32
  %x = load float, ptr %in
  store float %x, ptr %array
  store i32 1, ptr %scalar
  br i1 %less, label %one, label %join
one:
  br label %join
join:
  %i = phi i64 [ 1, %0 ], [ 2, %one ]
  %at = getelementptr float, ptr %array, i64 %i
  store float 0.0, ptr %at
  %second = getelementptr float, ptr %array, i64 1
  %y = load float, ptr %second
  store float %y, ptr %out
  %z = load i32, ptr %scalar
  store i32 %z, ptr %in
  ret void
}
