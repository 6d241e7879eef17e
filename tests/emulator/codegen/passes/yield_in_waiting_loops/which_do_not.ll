; Loops with atomics that end by themselves keep their turn, and kernels that are promised nothing keep all of theirs.
; RUN: us-opt -passes=yield_in_waiting_loops -kernel=histogram %s | FileCheck %s
; RUN: us-opt -passes=yield_in_waiting_loops -kernel=counts_in_a_branch %s | FileCheck %s
; RUN: us-opt -passes=yield_in_waiting_loops -kernel=tries_again %s | FileCheck %s
; RUN: us-opt -passes=yield_in_waiting_loops -kernel=tries_again_with_what_it_read %s | FileCheck %s
; RUN: us-opt -passes=yield_in_waiting_loops -kernel=work_queue %s | FileCheck %s
; RUN: us-opt -passes=yield_in_waiting_loops -kernel=own_variable %s | FileCheck %s
; RUN: us-opt -passes=yield_in_waiting_loops -kernel=plain %s | FileCheck %s
; RUN: us-opt -passes=yield_in_waiting_loops -kernel=promised_nothing -tier=loop %s | FileCheck %s
; RUN: us-opt -passes=yield_in_waiting_loops -kernel=promised_nothing -tier=fiber %s | FileCheck %s --check-prefix=FIBER
; CHECK-NOT: us.yield
; FIBER: us.yield

define void @histogram(ptr %p, i64 %n, i64 %step) "us_forward_progress" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i64 %i
  %old = atomicrmw add ptr %at, i32 1 monotonic
  %next = add i64 %i, %step
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @counts_in_a_branch(ptr %p, ptr %first, i64 %n) "us_forward_progress" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %rest ]
  %old = atomicrmw or ptr %p, i32 1 monotonic
  %fresh = icmp eq i32 %old, 0
  br i1 %fresh, label %once, label %rest
once:
  store i64 %i, ptr %first
  br label %rest
rest:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; An atomic maximum, as programs write it.
define void @tries_again(ptr %p, i32 %x) "us_forward_progress" {
entry:
  %start = load i32, ptr %p
  br label %loop
loop:
  %expected = phi i32 [ %start, %entry ], [ %found, %loop ]
  %wanted = call i32 @llvm.umax.i32(i32 %expected, i32 %x)
  %pair = cmpxchg ptr %p, i32 %expected, i32 %wanted monotonic monotonic
  %found = extractvalue { i32, i1 } %pair, 0
  %failed = icmp ne i32 %found, %expected
  br i1 %failed, label %loop, label %exit
exit:
  ret void
}
declare i32 @llvm.umax.i32(i32, i32)

define void @tries_again_with_what_it_read(ptr %p, i32 %x) "us_forward_progress" {
entry:
  br label %loop
loop:
  %expected = load atomic i32, ptr %p monotonic, align 4
  %wanted = add i32 %expected, %x
  %pair = cmpxchg ptr %p, i32 %expected, i32 %wanted monotonic monotonic
  %changed = extractvalue { i32, i1 } %pair, 1
  br i1 %changed, label %exit, label %loop
exit:
  ret void
}

define void @work_queue(ptr %next, ptr %out, i32 %n) "us_forward_progress" {
entry:
  br label %loop
loop:
  %mine = atomicrmw add ptr %next, i32 1 monotonic
  %more = icmp ult i32 %mine, %n
  br i1 %more, label %work, label %exit
work:
  %at = getelementptr i32, ptr %out, i32 %mine
  store i32 %mine, ptr %at
  br label %loop
exit:
  ret void
}

define void @own_variable(i32 %n) "us_forward_progress" {
entry:
  %own = alloca i32
  store i32 0, ptr %own
  br label %loop
loop:
  %v = load volatile i32, ptr %own
  %next = add i32 %v, 1
  store volatile i32 %next, ptr %own
  %more = icmp ult i32 %v, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @plain(ptr %p) "us_forward_progress" {
entry:
  br label %loop
loop:
  %v = load i32, ptr %p
  %again = icmp eq i32 %v, 0
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

define void @promised_nothing(ptr %p) {
entry:
  br label %wait
wait:
  %v = load atomic i32, ptr %p acquire, align 4
  %again = icmp eq i32 %v, 0
  br i1 %again, label %wait, label %exit
exit:
  ret void
}
