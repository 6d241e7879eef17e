; Work-items that go through a tile of 9x18 by their linear numbers, in steps of their number, go along its rows: the
; loop along one is over work-items. Not where the step is another, a value is left, a place is the work-item's own,
; the number of the work-item is asked for, rows are longer than there are work-items, or the last is not whole.
; RUN: us-opt -passes=walk_tiles_by_rows -kernel=rows %s | FileCheck %s
; RUN: us-opt -passes=walk_tiles_by_rows -kernel=planes %s | FileCheck %s --check-prefix=PLANES
; RUN: us-opt -passes=walk_tiles_by_rows -kernel=step %s | FileCheck %s --check-prefix=STAYS
; RUN: us-opt -passes=walk_tiles_by_rows -kernel=asked %s | FileCheck %s --check-prefix=STAYS
; RUN: us-opt -passes=walk_tiles_by_rows -kernel=sum %s | FileCheck %s --check-prefix=STAYS
; RUN: us-opt -passes=walk_tiles_by_rows -kernel=long %s | FileCheck %s --check-prefix=STAYS
; RUN: us-opt -passes=walk_tiles_by_rows -kernel=part %s | FileCheck %s --check-prefix=STAYS

; STAYS-NOT: tile.row

; CHECK-LABEL: @rows
; CHECK: tile.row:
; CHECK: %row = phi i32 [ 0, %entry ], [ [[NEXT:%.*]], %tile.row.latch ]
; CHECK: [[BEGIN:%.*]] = mul nuw nsw i32 %row, 18
; CHECK: %column = phi i32 [ 0, %tile.row ], [ [[FURTHER:%.*]], %walk ]
; CHECK: [[LINEAR:%.*]] = add nuw nsw i32 [[BEGIN]], %column
; CHECK-NOT: div
; CHECK-NOT: rem
; CHECK: getelementptr [18 x i32], ptr addrspace(3) %t, i32 {{.*}}, i32
; CHECK: store i32 [[LINEAR]]
; CHECK: [[MORE:%.*]] = icmp ult i32 [[FURTHER]], 18
; CHECK: br i1 [[MORE]], label %walk, label %tile.row.latch, !llvm.loop [[ITEMS:![0-9]+]]
; CHECK: tile.row.latch:
; CHECK: icmp ult i32 [[NEXT]], 9
; CHECK: [[ITEMS]] = distinct !{[[ITEMS]], {{.*}}, [[NAME:![0-9]+]]}
; CHECK: [[NAME]] = !{!"us.work_items"}
define void @rows(ptr addrspace(3) %t) {
entry:
  br label %items.y
items.y:
  %y = phi i32 [ 0, %entry ], [ %y.next, %y.latch ]
  %begin = mul nuw nsw i32 %y, 12
  br label %items.x
items.x:
  %x = phi i32 [ 0, %items.y ], [ %x.next, %x.latch ]
  %linear = add nuw nsw i32 %begin, %x
  br label %walk
walk:
  %l = phi i32 [ %linear, %items.x ], [ %l.next, %walk ]
  %line = udiv i32 %l, 18
  %place = urem i32 %l, 18
  %at = getelementptr [18 x i32], ptr addrspace(3) %t, i32 %line, i32 %place
  store i32 %l, ptr addrspace(3) %at, !llvm.access.group !0
  %l.next = add nuw nsw i32 %l, 96
  %more = icmp ult i32 %l.next, 162
  br i1 %more, label %walk, label %x.latch
x.latch:
  %x.next = add nuw nsw i32 %x, 1
  %x.more = icmp ult i32 %x.next, 12
  br i1 %x.more, label %items.x, label %y.latch, !llvm.loop !1
y.latch:
  %y.next = add nuw nsw i32 %y, 1
  %y.more = icmp ult i32 %y.next, 8
  br i1 %y.more, label %items.y, label %exit, !llvm.loop !4
exit:
  ret void
}

; Planes of 4x9 elements; the number is asked before it moves.
; PLANES-LABEL: @planes
; PLANES: tile.row:
; PLANES: [[ROW:%.*]] = zext i32 %row to i64
; PLANES: [[COLUMN:%.*]] = zext i32 %column to i64
; PLANES: udiv i64 [[ROW]], 4
; PLANES: [[WITHIN:%.*]] = urem i64 {{.*}}, 4
; PLANES: [[ABOVE:%.*]] = mul nuw nsw i64 [[WITHIN]], 9
; PLANES: add nuw nsw i64 [[ABOVE]], {{.*}}
; PLANES: tile.row.latch:
; PLANES: icmp ult i32 {{.*}}, 16
define void @planes(ptr addrspace(3) %t) {
entry:
  br label %items.x
items.x:
  %x = phi i32 [ 0, %entry ], [ %x.next, %x.latch ]
  br label %walk
walk:
  %l = phi i32 [ %x, %items.x ], [ %l.next, %walk ]
  %long = zext i32 %l to i64
  %plane = udiv i64 %long, 36
  %within = urem i64 %long, 36
  %place = urem i32 %l, 9
  %at = getelementptr [36 x i32], ptr addrspace(3) %t, i64 %plane, i64 %within
  store i32 %place, ptr addrspace(3) %at, !llvm.access.group !0
  %l.next = add nuw nsw i32 %l, 64
  %more = icmp ult i32 %l, 80
  br i1 %more, label %walk, label %x.latch
x.latch:
  %x.next = add nuw nsw i32 %x, 1
  %x.more = icmp ult i32 %x.next, 64
  br i1 %x.more, label %items.x, label %exit, !llvm.loop !1
exit:
  ret void
}

define void @step(ptr addrspace(3) %t) {
entry:
  br label %items.x
items.x:
  %x = phi i32 [ 0, %entry ], [ %x.next, %x.latch ]
  br label %walk
walk:
  %l = phi i32 [ %x, %items.x ], [ %l.next, %walk ]
  %line = udiv i32 %l, 18
  %at = getelementptr [18 x i32], ptr addrspace(3) %t, i32 %line, i32 0
  store i32 %l, ptr addrspace(3) %at, !llvm.access.group !0
  %l.next = add nuw nsw i32 %l, 32
  %more = icmp ult i32 %l.next, 162
  br i1 %more, label %walk, label %x.latch
x.latch:
  %x.next = add nuw nsw i32 %x, 1
  %x.more = icmp ult i32 %x.next, 64
  br i1 %x.more, label %items.x, label %exit, !llvm.loop !1
exit:
  ret void
}

define void @asked(ptr addrspace(3) %t) {
entry:
  br label %items.x
items.x:
  %x = phi i32 [ 0, %entry ], [ %x.next, %x.latch ]
  br label %walk
walk:
  %l = phi i32 [ %x, %items.x ], [ %l.next, %walk ]
  %line = udiv i32 %l, 18
  %at = getelementptr [18 x i32], ptr addrspace(3) %t, i32 %line, i32 %x
  store i32 %l, ptr addrspace(3) %at, !llvm.access.group !0
  %l.next = add nuw nsw i32 %l, 64
  %more = icmp ult i32 %l.next, 162
  br i1 %more, label %walk, label %x.latch
x.latch:
  %x.next = add nuw nsw i32 %x, 1
  %x.more = icmp ult i32 %x.next, 64
  br i1 %x.more, label %items.x, label %exit, !llvm.loop !1
exit:
  ret void
}

define void @sum(ptr addrspace(3) %t, ptr addrspace(1) %out) {
entry:
  br label %items.x
items.x:
  %x = phi i32 [ 0, %entry ], [ %x.next, %x.latch ]
  br label %walk
walk:
  %l = phi i32 [ %x, %items.x ], [ %l.next, %walk ]
  %sum = phi i32 [ 0, %items.x ], [ %sum.next, %walk ]
  %line = udiv i32 %l, 18
  %sum.next = add i32 %sum, %line
  %l.next = add nuw nsw i32 %l, 64
  %more = icmp ult i32 %l.next, 162
  br i1 %more, label %walk, label %x.latch
x.latch:
  %at = getelementptr i32, ptr addrspace(1) %out, i32 %x
  store i32 %sum.next, ptr addrspace(1) %at, !llvm.access.group !0
  %x.next = add nuw nsw i32 %x, 1
  %x.more = icmp ult i32 %x.next, 64
  br i1 %x.more, label %items.x, label %exit, !llvm.loop !1
exit:
  ret void
}

define void @long(ptr addrspace(3) %t) {
entry:
  br label %items.x
items.x:
  %x = phi i32 [ 0, %entry ], [ %x.next, %x.latch ]
  br label %walk
walk:
  %l = phi i32 [ %x, %items.x ], [ %l.next, %walk ]
  %line = udiv i32 %l, 81
  %at = getelementptr i32, ptr addrspace(3) %t, i32 %line
  store i32 %l, ptr addrspace(3) %at, !llvm.access.group !0
  %l.next = add nuw nsw i32 %l, 64
  %more = icmp ult i32 %l.next, 162
  br i1 %more, label %walk, label %x.latch
x.latch:
  %x.next = add nuw nsw i32 %x, 1
  %x.more = icmp ult i32 %x.next, 64
  br i1 %x.more, label %items.x, label %exit, !llvm.loop !1
exit:
  ret void
}

define void @part(ptr addrspace(3) %t) {
entry:
  br label %items.x
items.x:
  %x = phi i32 [ 0, %entry ], [ %x.next, %x.latch ]
  br label %walk
walk:
  %l = phi i32 [ %x, %items.x ], [ %l.next, %walk ]
  %line = udiv i32 %l, 18
  %at = getelementptr [18 x i32], ptr addrspace(3) %t, i32 %line, i32 0
  store i32 %l, ptr addrspace(3) %at, !llvm.access.group !0
  %l.next = add nuw nsw i32 %l, 64
  %more = icmp ult i32 %l.next, 163
  br i1 %more, label %walk, label %x.latch
x.latch:
  %x.next = add nuw nsw i32 %x, 1
  %x.more = icmp ult i32 %x.next, 64
  br i1 %x.more, label %items.x, label %exit, !llvm.loop !1
exit:
  ret void
}

!0 = distinct !{}
!1 = distinct !{!1, !2, !3}
!2 = !{!"llvm.loop.parallel_accesses", !0}
!3 = !{!"us.work_items"}
!4 = distinct !{!4, !2}
