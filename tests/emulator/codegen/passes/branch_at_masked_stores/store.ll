; A store under a mask asks first whether all lanes store, and whether one does, where such a store takes long: for
; AVX2 without quick gathers, as AMD's are, and for elements that cannot be stored under a mask at all. A constant mask
; needs no question.
; RUN: us-opt -passes=branch_at_masked_stores -kernel=k -target=avx2 %s | FileCheck %s
; RUN: us-opt -passes=branch_at_masked_stores -kernel=k -target=avx2-gather %s | FileCheck %s --check-prefix=QUICK
; RUN: us-opt -passes=branch_at_masked_stores -kernel=k -target=avx512 %s | FileCheck %s --check-prefix=MASKS

; CHECK-LABEL: @k
; CHECK: %lanes = bitcast <8 x i1> %m to i8
; CHECK-NEXT: [[ALL:%.*]] = icmp eq i8 %lanes, -1
; CHECK-NEXT: br i1 [[ALL]], label %store.whole, label %store.asked
; CHECK: store.whole:
; CHECK-NEXT: store <8 x i32> %v, ptr %p, align 4
; CHECK-NEXT: br label %[[BEHIND:.*]]
; CHECK: store.asked:
; CHECK-NEXT: [[NONE:%.*]] = icmp eq i8 %lanes, 0
; CHECK-NEXT: br i1 [[NONE]], label %[[BEHIND]], label %store.some
; CHECK: store.some:
; CHECK-NEXT: call void @llvm.masked.store.v8i32.p0(<8 x i32> %v, ptr %p, i32 4, <8 x i1> %m)
; CHECK-NEXT: br label %[[BEHIND]]
; CHECK: call void @llvm.masked.store.v8i32.p0(<8 x i32> %v, ptr %q, i32 4, <8 x i1> <i1 true
; CHECK: store <8 x i8> %b, ptr %r, align 1

; QUICK-LABEL: @k
; QUICK-NEXT: call void @llvm.masked.store.v8i32
; QUICK-NEXT: call void @llvm.masked.store.v8i32
; QUICK: store <8 x i8> %b, ptr %r, align 1

; MASKS-LABEL: @k
; MASKS-NOT: br
; MASKS: ret void
define void @k(<8 x i1> %m, <8 x i32> %v, <8 x i8> %b, ptr %p, ptr %q, ptr %r) {
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %v, ptr %p, i32 4, <8 x i1> %m)
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %v, ptr %q, i32 4, <8 x i1> <i1 true, i1 false, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>)
  call void @llvm.masked.store.v8i8.p0(<8 x i8> %b, ptr %r, i32 1, <8 x i1> %m)
  ret void
}

declare void @llvm.masked.store.v8i32.p0(<8 x i32>, ptr, i32, <8 x i1>)
declare void @llvm.masked.store.v8i8.p0(<8 x i8>, ptr, i32, <8 x i1>)
