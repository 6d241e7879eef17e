; A loop gives up its turn where what an atomic or volatile operation read decides whether it goes on.
; RUN: us-opt -passes=yield_in_waiting_loops -kernel=load %s | FileCheck %s --check-prefix=LOAD
; RUN: us-opt -passes=yield_in_waiting_loops -kernel=volatile_load %s | FileCheck %s --check-prefix=VOLATILE
; RUN: us-opt -passes=yield_in_waiting_loops -kernel=lock %s | FileCheck %s --check-prefix=LOCK
; RUN: us-opt -passes=yield_in_waiting_loops -kernel=flag_set_in_a_branch %s | FileCheck %s --check-prefix=BRANCH
; RUN: us-opt -passes=yield_in_waiting_loops -kernel=leaves_in_a_branch %s | FileCheck %s --check-prefix=LEAVES
; RUN: us-opt -passes=yield_in_waiting_loops -kernel=lock_by_addition %s | FileCheck %s --check-prefix=ADDITION
; RUN: us-opt -passes=yield_in_waiting_loops -kernel=through_a_call %s | FileCheck %s --check-prefix=CALL

; LOAD-LABEL: define void @load(
; LOAD: wait:
; LOAD: br i1 %again, label %[[BACK:.*]], label %exit
; LOAD: [[BACK]]:
; LOAD-NEXT: call void @us.yield()
; LOAD-NEXT: br label %wait
define void @load(ptr %p) "us_forward_progress" {
entry:
  br label %wait
wait:
  %v = load atomic i32, ptr %p acquire, align 4
  %again = icmp eq i32 %v, 0
  br i1 %again, label %wait, label %exit
exit:
  ret void
}

; VOLATILE-LABEL: define void @volatile_load(
; VOLATILE: call void @us.yield()
define void @volatile_load(ptr %p) "us_forward_progress" {
entry:
  br label %wait
wait:
  %v = load volatile i32, ptr %p, align 4
  %again = icmp eq i32 %v, 0
  br i1 %again, label %wait, label %exit
exit:
  ret void
}

; What is expected never changes: a lock.
; LOCK-LABEL: define void @lock(
; LOCK: call void @us.yield()
define void @lock(ptr %p) "us_forward_progress" {
entry:
  br label %wait
wait:
  %pair = cmpxchg ptr %p, i32 0, i32 1 acquire monotonic
  %taken = extractvalue { i32, i1 } %pair, 1
  br i1 %taken, label %exit, label %wait
exit:
  ret void
}

; The yield is at the back edge, not in the branch.
; BRANCH-LABEL: define void @flag_set_in_a_branch(
; BRANCH: owner:
; BRANCH-NOT: us.yield
; BRANCH: next:
; BRANCH: call void @us.yield()
define void @flag_set_in_a_branch(ptr %p, ptr %counter) "us_forward_progress" {
entry:
  br label %loop
loop:
  %old = atomicrmw xchg ptr %p, i32 1 acquire
  %free = icmp eq i32 %old, 0
  br i1 %free, label %owner, label %next
owner:
  store i32 7, ptr %counter
  store atomic i32 0, ptr %p release, align 4
  br label %next
next:
  %done = phi i1 [ true, %owner ], [ false, %loop ]
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; Where it leaves, it looks only at what does not change; whether it comes there is the question.
; LEAVES-LABEL: define void @leaves_in_a_branch(
; LEAVES: call void @us.yield()
define void @leaves_in_a_branch(ptr %p, i1 %c) "us_forward_progress" {
entry:
  br label %loop
loop:
  %v = load atomic i32, ptr %p acquire, align 4
  %set = icmp ne i32 %v, 0
  br i1 %set, label %maybe, label %next
maybe:
  br i1 %c, label %exit, label %next
next:
  br label %loop
exit:
  ret void
}

; ADDITION-LABEL: define void @lock_by_addition(
; ADDITION: call void @us.yield()
define void @lock_by_addition(ptr %p) "us_forward_progress" {
entry:
  br label %loop
loop:
  %old = atomicrmw add ptr %p, i32 1 acquire
  %mine = icmp eq i32 %old, 0
  br i1 %mine, label %exit, label %back
back:
  %gone = atomicrmw sub ptr %p, i32 1 release
  br label %loop
exit:
  ret void
}

define internal i32 @try(ptr %p) {
  %v = load atomic i32, ptr %p acquire, align 4
  ret i32 %v
}

; CALL-LABEL: define void @through_a_call(
; CALL: call void @us.yield()
define void @through_a_call(ptr %p) "us_forward_progress" {
entry:
  br label %loop
loop:
  %v = call i32 @try(ptr %p)
  %again = icmp eq i32 %v, 0
  br i1 %again, label %loop, label %exit
exit:
  ret void
}
