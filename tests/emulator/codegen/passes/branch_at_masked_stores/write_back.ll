; Lanes that do not store write back what they have read there just before, if nobody else writes there: local memory,
; and global memory of a kernel whose work-items have places of their own. Not if something is written in between, only
; lanes that are asked have read, or it was another place.
; RUN: us-opt -passes=branch_at_masked_stores -kernel=k -target=avx2 %s | FileCheck %s
; RUN: us-opt -passes=branch_at_masked_stores -kernel=k -target=avx512 %s | FileCheck %s --check-prefix=MASKS

; MASKS-NOT: written.back

declare void @llvm.masked.store.v8i32.p1(<8 x i32>, ptr addrspace(1), i32, <8 x i1>)
declare void @llvm.masked.store.v8i32.p3(<8 x i32>, ptr addrspace(3), i32, <8 x i1>)
declare <8 x i32> @llvm.masked.load.v8i32.p1(ptr addrspace(1), i32, <8 x i1>, <8 x i32>)

; CHECK-LABEL: @own
; CHECK: [[OLD:%.*]] = load <8 x i32>
; CHECK: [[LANES:%.*]] = bitcast <8 x i1> %m to i8
; CHECK-NEXT: [[SOME:%.*]] = icmp ne i8 [[LANES]], 0
; CHECK-NEXT: br i1 [[SOME]], label %[[STORE:.*]], label %[[BEHIND:.*]]
; CHECK: [[STORE]]:
; CHECK-NEXT: [[ALL:%.*]] = select <8 x i1> %m, <8 x i32> %v, <8 x i32> [[OLD]]
; CHECK-NEXT: store <8 x i32> [[ALL]], ptr addrspace(1) %p, align 4
; CHECK-NEXT: br label %[[BEHIND]]
define void @own(ptr addrspace(1) %p, <8 x i32> %v) "us_own_places" {
  %old = load <8 x i32>, ptr addrspace(1) %p, align 4
  %m = icmp slt <8 x i32> %v, %old
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %v, ptr addrspace(1) %p, i32 4, <8 x i1> %m)
  ret void
}

; In a loop those behind a vector in which some store are written, too.
; CHECK-LABEL: @loop
; CHECK: round:
; CHECK: [[LATELY:%.*]] = phi i32 [ 0, %entry ], [ [[LEFT:%.*]], %{{.*}} ]
; CHECK: [[SOME:%.*]] = icmp ne i8 {{.*}}, 0
; CHECK-NEXT: [[LESS:%.*]] = call i32 @llvm.usub.sat.i32(i32 [[LATELY]], i32 1)
; CHECK-NEXT: [[LEFT]] = select i1 [[SOME]], i32 8, i32 [[LESS]]
; CHECK-NEXT: [[WRITES:%.*]] = icmp ne i32 [[LEFT]], 0
; CHECK-NEXT: br i1 [[WRITES]], label
; CHECK: select <8 x i1> %m, <8 x i32> %v, <8 x i32> %old
define void @loop(ptr addrspace(1) %p, <8 x i32> %v) "us_own_places" {
entry:
  br label %round
round:
  %i = phi i64 [ 0, %entry ], [ %i.next, %round ]
  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i
  %old = load <8 x i32>, ptr addrspace(1) %at, align 4
  %m = icmp slt <8 x i32> %v, %old
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %v, ptr addrspace(1) %at, i32 4, <8 x i1> %m)
  %i.next = add nuw nsw i64 %i, 8
  %more = icmp ult i64 %i.next, 64
  br i1 %more, label %round, label %exit
exit:
  ret void
}

; CHECK-LABEL: @local
; CHECK-NOT: br i1
; CHECK: select <8 x i1> %m, <8 x i32> %v, <8 x i32> %old
; CHECK-NEXT: store <8 x i32> {{.*}}, ptr addrspace(3) %p, align 4
; CHECK-NEXT: ret void
define void @local(ptr addrspace(3) %p, <8 x i32> %v) {
  %old = load <8 x i32>, ptr addrspace(3) %p, align 4
  %m = icmp slt <8 x i32> %v, %old
  call void @llvm.masked.store.v8i32.p3(<8 x i32> %v, ptr addrspace(3) %p, i32 4, <8 x i1> %m)
  ret void
}

; CHECK-LABEL: @shared
; CHECK: store.some:
; CHECK: call void @llvm.masked.store
define void @shared(ptr addrspace(1) %p, <8 x i32> %v) {
  %old = load <8 x i32>, ptr addrspace(1) %p, align 4
  %m = icmp slt <8 x i32> %v, %old
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %v, ptr addrspace(1) %p, i32 4, <8 x i1> %m)
  ret void
}

; CHECK-LABEL: @written
; CHECK: store.some:
; CHECK: call void @llvm.masked.store
define void @written(ptr addrspace(3) %p, ptr addrspace(3) %q, <8 x i32> %v) {
  %old = load <8 x i32>, ptr addrspace(3) %p, align 4
  %m = icmp slt <8 x i32> %v, %old
  store <8 x i32> %v, ptr addrspace(3) %q, align 4
  call void @llvm.masked.store.v8i32.p3(<8 x i32> %v, ptr addrspace(3) %p, i32 4, <8 x i1> %m)
  ret void
}

; CHECK-LABEL: @asked
; CHECK: store.some:
; CHECK: call void @llvm.masked.store
define void @asked(ptr addrspace(1) %p, <8 x i32> %v, <8 x i1> %n) "us_own_places" {
  %old = call <8 x i32> @llvm.masked.load.v8i32.p1(ptr addrspace(1) %p, i32 4, <8 x i1> %n, <8 x i32> zeroinitializer)
  %less = icmp slt <8 x i32> %v, %old
  %m = and <8 x i1> %less, %n
  call void @llvm.masked.store.v8i32.p1(<8 x i32> %v, ptr addrspace(1) %p, i32 4, <8 x i1> %m)
  ret void
}

; CHECK-LABEL: @elsewhere
; CHECK: store.some:
; CHECK: call void @llvm.masked.store
define void @elsewhere(ptr addrspace(3) %p, <8 x i32> %v) {
  %q = getelementptr i32, ptr addrspace(3) %p, i64 1
  %old = load <8 x i32>, ptr addrspace(3) %q, align 4
  %m = icmp slt <8 x i32> %v, %old
  call void @llvm.masked.store.v8i32.p3(<8 x i32> %v, ptr addrspace(3) %p, i32 4, <8 x i1> %m)
  ret void
}

define void @k() {
  ret void
}
