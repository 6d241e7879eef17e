; Loops that sort a private array are what they lead to: minima and maxima of what is read. They stay where something is
; read that they have not sorted, and where they store something else than what they compare.
; RUN: us-opt -passes=form_sorting_networks -kernel=selected %s | FileCheck %s

; The second of four: no maximum of the last exchange is needed.
; CHECK-LABEL: @selected
; CHECK-NOT: phi
; CHECK-COUNT-4: load i8
; CHECK-COUNT-2: @llvm.umin.i8
; CHECK-NOT: phi
; CHECK: ret void
define void @selected(ptr addrspace(1) %out) {
entry:
  %v = alloca [4 x i8], align 1
  br label %outer
outer:
  %s = phi i32 [ 0, %entry ], [ %s.next, %place ]
  %s.next = add nuw nsw i32 %s, 1
  br label %inner
inner:
  %i = phi i32 [ %s.next, %outer ], [ %i.next, %inner ]
  %least = phi i32 [ %s, %outer ], [ %lesser, %inner ]
  %i.long = zext nneg i32 %i to i64
  %at = getelementptr inbounds [4 x i8], ptr %v, i64 0, i64 %i.long
  %x = load i8, ptr %at, align 1
  %least.long = sext i32 %least to i64
  %least.at = getelementptr inbounds [4 x i8], ptr %v, i64 0, i64 %least.long
  %y = load i8, ptr %least.at, align 1
  %is.less = icmp ult i8 %x, %y
  %lesser = select i1 %is.less, i32 %i, i32 %least
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, 4
  br i1 %more, label %inner, label %place
place:
  %found = phi i32 [ %lesser, %inner ]
  %s.long = zext nneg i32 %s to i64
  %own = getelementptr inbounds [4 x i8], ptr %v, i64 0, i64 %s.long
  %a = load i8, ptr %own, align 1
  %found.long = sext i32 %found to i64
  %there = getelementptr inbounds [4 x i8], ptr %v, i64 0, i64 %found.long
  %b = load i8, ptr %there, align 1
  store i8 %b, ptr %own, align 1
  store i8 %a, ptr %there, align 1
  %again = icmp ult i32 %s.next, 2
  br i1 %again, label %outer, label %done
done:
  %second = getelementptr inbounds i8, ptr %v, i64 1
  %z = load i8, ptr %second, align 1
  store i8 %z, ptr addrspace(1) %out, align 1
  ret void
}

; The greatest two of five numbers with a sign, from the second element on.
; CHECK-LABEL: @exchanged
; CHECK-NOT: phi
; CHECK: @llvm.smax.i32
; CHECK-NOT: phi
; CHECK: ret void
define void @exchanged(ptr addrspace(1) %out) {
entry:
  %v = alloca [6 x i32], align 4
  br label %outer
outer:
  %s = phi i64 [ 1, %entry ], [ %s.next, %latch ]
  %s.next = add nuw nsw i64 %s, 1
  %own = getelementptr inbounds i32, ptr %v, i64 %s
  br label %inner
inner:
  %i = phi i64 [ %s.next, %outer ], [ %i.next, %next ]
  %at = getelementptr inbounds i32, ptr %v, i64 %i
  %x = load i32, ptr %own, align 4
  %y = load i32, ptr %at, align 4
  %is.less = icmp sge i32 %x, %y
  br i1 %is.less, label %next, label %swap
swap:
  store i32 %x, ptr %at, align 4
  store i32 %y, ptr %own, align 4
  br label %next
next:
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 6
  br i1 %more, label %inner, label %latch
latch:
  %again = icmp ult i64 %s.next, 3
  br i1 %again, label %outer, label %done
done:
  %second = getelementptr inbounds i8, ptr %v, i64 8
  %z = load i32, ptr %second, align 4
  store i32 %z, ptr addrspace(1) %out, align 4
  ret void
}

; What is read was not sorted: it is behind the two that were.
; CHECK-LABEL: @behind
; CHECK: phi
; CHECK-NOT: @llvm.smax
; CHECK: ret void
define void @behind(ptr addrspace(1) %out) {
entry:
  %v = alloca [6 x i32], align 4
  br label %outer
outer:
  %s = phi i64 [ 1, %entry ], [ %s.next, %latch ]
  %s.next = add nuw nsw i64 %s, 1
  %own = getelementptr inbounds i32, ptr %v, i64 %s
  br label %inner
inner:
  %i = phi i64 [ %s.next, %outer ], [ %i.next, %next ]
  %at = getelementptr inbounds i32, ptr %v, i64 %i
  %x = load i32, ptr %own, align 4
  %y = load i32, ptr %at, align 4
  %is.less = icmp slt i32 %x, %y
  br i1 %is.less, label %swap, label %next
swap:
  store i32 %x, ptr %at, align 4
  store i32 %y, ptr %own, align 4
  br label %next
next:
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 6
  br i1 %more, label %inner, label %latch
latch:
  %again = icmp ult i64 %s.next, 3
  br i1 %again, label %outer, label %done
done:
  %third = getelementptr inbounds i8, ptr %v, i64 12
  %z = load i32, ptr %third, align 4
  store i32 %z, ptr addrspace(1) %out, align 4
  ret void
}

; Three rise to the end, one after the other, of four: all are sorted, and read at places that are not known.
; CHECK-LABEL: @risen
; CHECK-NOT: phi
; CHECK-COUNT-5: @llvm.umax.i64
; CHECK-NOT: @llvm.umax.i64
; CHECK: ret void
define void @risen(ptr addrspace(1) %out, i64 %which) {
entry:
  %v = alloca [4 x i64], align 8
  br label %outer
outer:
  %s = phi i64 [ 3, %entry ], [ %s.next, %latch ]
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %i.next, %next ]
  %at = getelementptr inbounds i64, ptr %v, i64 %i
  %i.next = add nuw nsw i64 %i, 1
  %next.at = getelementptr inbounds i64, ptr %v, i64 %i.next
  %x = load i64, ptr %at, align 8
  %y = load i64, ptr %next.at, align 8
  %is.less = icmp ult i64 %y, %x
  br i1 %is.less, label %swap, label %next
swap:
  store i64 %y, ptr %at, align 8
  store i64 %x, ptr %next.at, align 8
  br label %next
next:
  %more = icmp ult i64 %i.next, %s
  br i1 %more, label %inner, label %latch
latch:
  %s.next = add nsw i64 %s, -1
  %again = icmp ugt i64 %s.next, 0
  br i1 %again, label %outer, label %done
done:
  %there = getelementptr inbounds i64, ptr %v, i64 %which
  %z = load i64, ptr %there, align 8
  store i64 %z, ptr addrspace(1) %out, align 8
  ret void
}

; One more than the lesser one is stored.
; CHECK-LABEL: @changed
; CHECK: phi
; CHECK-NOT: @llvm.umax
; CHECK: ret void
define void @changed(ptr addrspace(1) %out, i64 %which) {
entry:
  %v = alloca [4 x i64], align 8
  br label %outer
outer:
  %s = phi i64 [ 3, %entry ], [ %s.next, %latch ]
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %i.next, %next ]
  %at = getelementptr inbounds i64, ptr %v, i64 %i
  %i.next = add nuw nsw i64 %i, 1
  %next.at = getelementptr inbounds i64, ptr %v, i64 %i.next
  %x = load i64, ptr %at, align 8
  %y = load i64, ptr %next.at, align 8
  %is.less = icmp ult i64 %y, %x
  br i1 %is.less, label %swap, label %next
swap:
  %y.more = add i64 %y, 1
  store i64 %y.more, ptr %at, align 8
  store i64 %x, ptr %next.at, align 8
  br label %next
next:
  %more = icmp ult i64 %i.next, %s
  br i1 %more, label %inner, label %latch
latch:
  %s.next = add nsw i64 %s, -1
  %again = icmp ugt i64 %s.next, 0
  br i1 %again, label %outer, label %done
done:
  %there = getelementptr inbounds i64, ptr %v, i64 %which
  %z = load i64, ptr %there, align 8
  store i64 %z, ptr addrspace(1) %out, align 8
  ret void
}
