; What the vectorizer could not turn into wide accesses or would not look through keeps its vectors.
; RUN: us-opt -passes=choose_vector_form -kernel=indirect -tier=loop -local-size=64 -work-dimensions=1 %s | FileCheck %s
; RUN: us-opt -passes=choose_vector_form -kernel=guarded -tier=loop -local-size=64 -work-dimensions=1 %s | FileCheck %s
; RUN: us-opt -passes=choose_vector_form -kernel=own_turns -tier=loop -local-size=64 -work-dimensions=1 %s | FileCheck %s
; RUN: us-opt -passes=choose_vector_form -kernel=one_scalar -tier=loop -local-size=64 -work-dimensions=1 %s | FileCheck %s
; RUN: us-opt -passes=choose_vector_form -kernel=called -tier=loop -local-size=64 -work-dimensions=1 %s | FileCheck %s
; RUN: us-opt -passes=choose_vector_form -kernel=few -tier=loop -local-size=4 -work-dimensions=1 %s | FileCheck %s
; RUN: us-opt -passes=choose_vector_form -kernel=scalars -tier=loop -local-size=64 -work-dimensions=1 %s | FileCheck %s
; CHECK-NOT: us.split-vectors
declare i64 @us.global_id(i32)
declare <4 x float> @elsewhere(<4 x float>)

; A gather of whole vectors is one load for each work-item, of components four.
define void @indirect(ptr addrspace(1) %p, ptr addrspace(1) %at) {
  %id = call i64 @us.global_id(i32 0)
  %place = getelementptr inbounds i64, ptr addrspace(1) %at, i64 %id
  %index = load i64, ptr addrspace(1) %place
  %source = getelementptr inbounds <4 x float>, ptr addrspace(1) %p, i64 %index
  %v = load <4 x float>, ptr addrspace(1) %source
  %target = getelementptr inbounds <4 x float>, ptr addrspace(1) %p, i64 %id
  store <4 x float> %v, ptr addrspace(1) %target
  ret void
}

define void @guarded(ptr addrspace(1) %p) {
  %id = call i64 @us.global_id(i32 0)
  %some = icmp ugt i64 %id, 3
  br i1 %some, label %do, label %end

do:
  %target = getelementptr inbounds <4 x float>, ptr addrspace(1) %p, i64 %id
  store <4 x float> zeroinitializer, ptr addrspace(1) %target
  br label %end

end:
  ret void
}

; A loop that each work-item leaves when it likes stays inside the work-item loop.
define void @own_turns(ptr addrspace(1) %p) {
entry:
  %id = call i64 @us.global_id(i32 0)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x i32> [ zeroinitializer, %entry ], [ %more, %loop ]
  %more = add <4 x i32> %sum, <i32 1, i32 2, i32 3, i32 4>
  %next = add i64 %i, 1
  %again = icmp ult i64 %next, %id
  br i1 %again, label %loop, label %end

end:
  %target = getelementptr inbounds <4 x i32>, ptr addrspace(1) %p, i64 %id
  store <4 x i32> %more, ptr addrspace(1) %target
  ret void
}

define void @one_scalar(ptr addrspace(1) %p) {
  %id = call i64 @us.global_id(i32 0)
  %source = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %id
  %bits = load i32, ptr addrspace(1) %source
  %bytes = bitcast i32 %bits to <4 x i8>
  %twice = add <4 x i8> %bytes, %bytes
  %result = bitcast <4 x i8> %twice to i32
  store i32 %result, ptr addrspace(1) %source
  ret void
}

define void @called(ptr addrspace(1) %p) {
  %id = call i64 @us.global_id(i32 0)
  %source = getelementptr inbounds <4 x float>, ptr addrspace(1) %p, i64 %id
  %v = load <4 x float>, ptr addrspace(1) %source
  %r = call <4 x float> @elsewhere(<4 x float> %v)
  store <4 x float> %r, ptr addrspace(1) %source
  ret void
}

define void @few(ptr addrspace(1) %p) {
  %id = call i64 @us.global_id(i32 0)
  %target = getelementptr inbounds <4 x float>, ptr addrspace(1) %p, i64 %id
  store <4 x float> zeroinitializer, ptr addrspace(1) %target
  ret void
}

define void @scalars(ptr addrspace(1) %p) {
  %id = call i64 @us.global_id(i32 0)
  %target = getelementptr inbounds float, ptr addrspace(1) %p, i64 %id
  store float 0.0, ptr addrspace(1) %target
  ret void
}
