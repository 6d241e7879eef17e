; Counts of one kind, whose results nobody looks at, go to the thread's copy; what is not asked for, read, or of two kinds
; does not.
; RUN: us-opt -passes=copy_updated_arguments -kernel=k -copied=31 %s | FileCheck %s

; CHECK: define void @k({{.*}}) [[FACTS:#[0-9]+]]
; CHECK: [[GROUP:%.*]] = call ptr @us.group()
; CHECK: [[FIELD:%.*]] = getelementptr inbounds i8, ptr [[GROUP]], i64
; CHECK: [[COPIES:%.*]] = load ptr, ptr [[FIELD]], {{.*}}!invariant.load
; CHECK: %counts.copy = load ptr addrspace(1), ptr [[COPIES]], {{.*}}!invariant.load
; CHECK: [[SECOND:%.*]] = getelementptr inbounds i8, ptr {{.*}}, i64 8
; CHECK: %most.copy = load ptr addrspace(1), ptr [[SECOND]]
define void @k(ptr addrspace(1) %counts, ptr addrspace(1) %most, ptr addrspace(1) %wanted, ptr addrspace(1) %read,
               ptr addrspace(1) %mixed, ptr addrspace(1) %other, i64 %i, i32 %x) {
  ; CHECK: %place = getelementptr i32, ptr addrspace(1) %counts.copy, i64 %i
  %place = getelementptr i32, ptr addrspace(1) %counts, i64 %i
  ; CHECK: atomicrmw add ptr addrspace(1) %place, i32 1 monotonic, align 4, !us.private_copy
  %a = atomicrmw add ptr addrspace(1) %place, i32 1 monotonic
  ; CHECK: atomicrmw sub ptr addrspace(1) %counts.copy, i32 %x seq_cst, align 4, !us.private_copy
  %b = atomicrmw sub ptr addrspace(1) %counts, i32 %x seq_cst
  ; CHECK: atomicrmw umax ptr addrspace(1) %most.copy, i64 %i monotonic, align 8, !us.private_copy
  %c = atomicrmw umax ptr addrspace(1) %most, i64 %i monotonic
  ; CHECK: atomicrmw add ptr addrspace(1) %wanted, i32 1 monotonic, align 4{{$}}
  %d = atomicrmw add ptr addrspace(1) %wanted, i32 1 monotonic
  ; CHECK: atomicrmw add ptr addrspace(1) %read, i32 %d monotonic, align 4{{$}}
  %e = atomicrmw add ptr addrspace(1) %read, i32 %d monotonic
  %f = load i32, ptr addrspace(1) %read
  ; CHECK: atomicrmw or ptr addrspace(1) %mixed, i32 %f monotonic, align 4{{$}}
  %g = atomicrmw or ptr addrspace(1) %mixed, i32 %f monotonic
  ; CHECK: atomicrmw and ptr addrspace(1) %mixed, i32 %f monotonic, align 4{{$}}
  %h = atomicrmw and ptr addrspace(1) %mixed, i32 %f monotonic
  ; CHECK: atomicrmw add ptr addrspace(1) %other, i32 1 monotonic, align 4{{$}}
  %n = atomicrmw add ptr addrspace(1) %other, i32 1 monotonic
  ret void
}
; CHECK: attributes [[FACTS]] = { "us_argument_copies"="0 4 0 1 8 6 " }
