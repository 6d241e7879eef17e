; A number of 4 bits that may wrap round: as a part of a place it begins at zero, at a number that nobody knows, or counts
; by ones; or it is no part of one.
; RUN: us-opt -passes=hide_wrapping_numbers -kernel=at_zero %s | FileCheck %s

; CHECK-LABEL: @at_zero
; CHECK: %d = and i64 %twice, 15
; CHECK: [[HIDDEN:%.*]] = freeze i64 %d
; CHECK: %at = sub i64 %i, [[HIDDEN]]
define void @at_zero(ptr %t, ptr %out) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %twice = mul i64 %i, 18
  %d = and i64 %twice, 15
  %at = sub i64 %i, %d
  %from = getelementptr i32, ptr %t, i64 %at
  %x = load i32, ptr %from
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %x, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 16
  br i1 %more, label %items, label %done
done:
  ret void
}

; CHECK-LABEL: @anywhere
; CHECK-NOT: freeze
define void @anywhere(ptr %t, ptr %out, i64 %begin) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %twice = mul i64 %i, 18
  %sum = add i64 %twice, %begin
  %d = and i64 %sum, 15
  %at = sub i64 %i, %d
  %from = getelementptr i32, ptr %t, i64 %at
  %x = load i32, ptr %from
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %x, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 16
  br i1 %more, label %items, label %done
done:
  ret void
}

; CHECK-LABEL: @by_ones
; CHECK-NOT: freeze
define void @by_ones(ptr %t, ptr %out) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %d = and i64 %i, 15
  %from = getelementptr i32, ptr %t, i64 %d
  %x = load i32, ptr %from
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %x, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 32
  br i1 %more, label %items, label %done
done:
  ret void
}

; CHECK-LABEL: @not_in_a_place
; CHECK-NOT: freeze
define void @not_in_a_place(ptr %out) {
entry:
  br label %items
items:
  %i = phi i64 [ 0, %entry ], [ %next, %items ]
  %twice = mul i64 %i, 18
  %d = and i64 %twice, 15
  %to = getelementptr i64, ptr %out, i64 %i
  store i64 %d, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, 16
  br i1 %more, label %items, label %done
done:
  ret void
}
