; A tile's place and a local id, joined and cut down: as they are, joined of three parts, with another use, and without a
; promise that no bits are common.
; RUN: us-opt -passes=keep_disjoint_bits -kernel=tile %s | FileCheck %s

; CHECK-LABEL: @tile
; CHECK: [[TILE:%.*]] = trunc i64 %tile to i32
; CHECK: [[L:%.*]] = trunc i64 %l to i32
; CHECK: [[X:%.*]] = or disjoint i32 [[TILE]], [[L]]
; CHECK: store i32 [[X]], ptr %out
define void @tile(i64 %tile, i64 %l, ptr %out) {
  %x = or disjoint i64 %tile, %l
  %i = trunc i64 %x to i32
  store i32 %i, ptr %out
  ret void
}

; CHECK-LABEL: @three_parts
; CHECK: [[GROUP:%.*]] = trunc i64 %group to i32
; CHECK: [[ROW:%.*]] = trunc i64 %row to i32
; CHECK: [[TILE:%.*]] = or disjoint i32 [[GROUP]], [[ROW]]
; CHECK: [[L:%.*]] = trunc i64 %l to i32
; CHECK: or disjoint i32 [[TILE]], [[L]]
define void @three_parts(i64 %group, i64 %row, i64 %l, ptr %out) {
  %tile = or disjoint i64 %group, %row
  %x = or disjoint i64 %tile, %l
  %i = trunc i64 %x to i32
  store i32 %i, ptr %out
  ret void
}

; CHECK-LABEL: @used_twice
; CHECK: %x = or disjoint i64 %tile, %l
; CHECK: trunc i64 %x to i32
define void @used_twice(i64 %tile, i64 %l, ptr %out) {
  %x = or disjoint i64 %tile, %l
  %i = trunc i64 %x to i32
  %place = getelementptr i32, ptr %out, i64 %x
  store i32 %i, ptr %place
  ret void
}

; CHECK-LABEL: @common_bits
; CHECK: %x = or i64 %tile, %l
; CHECK: trunc i64 %x to i32
define void @common_bits(i64 %tile, i64 %l, ptr %out) {
  %x = or i64 %tile, %l
  %i = trunc i64 %x to i32
  store i32 %i, ptr %out
  ret void
}
