; A mask chooses from constants of which one has no number in some lanes: it is given the other's there. Not where neither
; has one, or both have.
; RUN: us-opt -passes=expand_masks -kernel=k -target=avx2 %s | FileCheck %s
; RUN: us-opt -passes=expand_masks -kernel=k -target=avx512 %s | FileCheck %s

; CHECK: [[A:%.*]] = select <4 x i1> %m, <4 x i32> <i32 -1, i32 0, i32 5, i32 poison>, <4 x i32> <i32 -1, i32 -1, i32 5, i32 poison>
; CHECK: [[B:%.*]] = select <4 x i1> %m, <4 x i32> <i32 1, i32 2, i32 3, i32 4>, <4 x i32> zeroinitializer
; CHECK: store <4 x i32> [[A]]
; CHECK: store <4 x i32> [[B]]
define void @k(ptr %out, <4 x i1> %m) {
  %a = select <4 x i1> %m, <4 x i32> <i32 -1, i32 0, i32 poison, i32 poison>, <4 x i32> <i32 poison, i32 -1, i32 5, i32 poison>
  %b = select <4 x i1> %m, <4 x i32> <i32 1, i32 2, i32 3, i32 4>, <4 x i32> zeroinitializer
  store <4 x i32> %a, ptr %out
  %next = getelementptr <4 x i32>, ptr %out, i64 1
  store <4 x i32> %b, ptr %next
  ret void
}
