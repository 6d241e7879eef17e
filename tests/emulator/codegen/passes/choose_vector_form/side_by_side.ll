; Work-items that read and write whole vectors side by side: lanes of work-items are better than lanes of one vector.
; RUN: us-opt -passes=choose_vector_form -kernel=k -tier=loop -local-size=64 -work-dimensions=1 %s | FileCheck %s
declare i64 @us.global_id(i32)
declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)

; CHECK: define void @k({{.*}}) #[[ATTRIBUTES:[0-9]+]]
; CHECK: load <4 x float>
; CHECK: attributes #[[ATTRIBUTES]] = {{.*}}"us.split-vectors"
define void @k(ptr addrspace(1) %from, ptr addrspace(1) %factors, ptr addrspace(1) %to) {
  %id = call i64 @us.global_id(i32 0)
  %source = getelementptr inbounds <4 x float>, ptr addrspace(1) %from, i64 %id
  %v = load <4 x float>, ptr addrspace(1) %source
  %same = load <4 x float>, ptr addrspace(1) %factors
  %r = call <4 x float> @llvm.fma.v4f32(<4 x float> %v, <4 x float> %same, <4 x float> %v)
  %target = getelementptr inbounds <4 x float>, ptr addrspace(1) %to, i64 %id
  store <4 x float> %r, ptr addrspace(1) %target
  ret void
}
