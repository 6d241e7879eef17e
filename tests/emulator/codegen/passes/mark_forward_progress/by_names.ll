; A kernel that reaches a sub-group function has the attribute; one that does not is left alone.
; RUN: us-opt -passes=extract_kernel,mark_forward_progress -kernel=with %s | FileCheck %s --check-prefix=WITH
; RUN: us-opt -passes=extract_kernel,mark_forward_progress -kernel=without %s | FileCheck %s --check-prefix=WITHOUT

declare i32 @_Z16get_sub_group_idv()
declare i32 @_Z12get_local_idj(i32)

define i32 @inner() {
  %s = call i32 @_Z16get_sub_group_idv()
  ret i32 %s
}

; WITH: define {{.*}} @with() {{.*}}[[KERNEL:#[0-9]+]]
; WITH: attributes [[KERNEL]] = { {{.*}}"us_forward_progress"
define spir_kernel void @with() {
  %s = call i32 @inner()
  ret void
}

; WITHOUT: define {{.*}} @without()
; WITHOUT-NOT: us_forward_progress
define spir_kernel void @without() {
  %s = call i32 @_Z12get_local_idj(i32 0)
  ret void
}
