; What the launch says of an image (RGBA, UNORM_INT8, 4 bytes: 0x8000 | 5 | 2 << 5 | 3 << 10) and of a sampler (0x8000 | 0x22)
; reaches a copy of the library's function through variables and a function of the program; what is not taken falls away.
; RUN: us-opt -passes=specialize_images -kernel=k -opaque=35909,32802 %s | FileCheck %s

; CHECK-LABEL: define spir_kernel void @k(
; CHECK: store ptr inttoptr (i64 34 to ptr), ptr %s.addr
; CHECK: call i32 @[[HELPER:helper[.0-9]+]](ptr %{{.*}}, ptr %{{.*}}, i32 1)
; CHECK: call i32 @[[HELPER]](ptr %{{.*}}, ptr %{{.*}}, i32 2)
define spir_kernel void @k(ptr %image, ptr %s, ptr addrspace(1) %out) !dbg !4 !kernel_arg_base_type !8 {
  %image.addr = alloca ptr
  %s.addr = alloca ptr
  call void @llvm.lifetime.start.p0(i64 8, ptr %s.addr)
  store ptr %image, ptr %image.addr
  store ptr %s, ptr %s.addr
  %i = load ptr, ptr %image.addr
  %b = load ptr, ptr %s.addr
  %x = call i32 @helper(ptr %i, ptr %b, i32 1), !dbg !9
  %y = call i32 @helper(ptr %i, ptr %b, i32 2), !dbg !9
  store i32 %x, ptr addrspace(1) %out
  ret void
}

; A function of the program is copied for images and samplers, not for numbers.
; CHECK: define internal spir_func i32 @[[HELPER]](ptr %image, ptr %sampler, i32 %n)
; CHECK: call i32 @[[READ:us_read[.0-9]+]](ptr %image, ptr inttoptr (i64 34 to ptr), i1 true)
define spir_func i32 @helper(ptr %image, ptr %sampler, i32 %n) !dbg !10 {
  %r = call i32 @us_read(ptr %image, ptr %sampler, i1 true), !dbg !11
  %sum = add i32 %r, %n
  ret i32 %sum
}

; CHECK: define internal spir_func i32 @[[READ]](ptr %image, ptr %sampler, i1 %array) #[[INLINE:[0-9]+]] {
; CHECK-NEXT: %width.at = getelementptr inbounds i8, ptr %image, i64 24
; CHECK-NEXT: %width = load i32, ptr %width.at
; CHECK-NOT: {{load|switch|phi|label .*,}}
; CHECK: %sum = add i32 %width, 4
; CHECK-NEXT: ret i32 %sum
; CHECK: attributes #[[INLINE]] = { alwaysinline }
define spir_func i32 @us_read(ptr %image, ptr %sampler, i1 %array) {
  %width.at = getelementptr inbounds i8, ptr %image, i64 24
  %width = load i32, ptr %width.at
  %bits = ptrtoint ptr %sampler to i64
  %linear = and i64 %bits, 32
  %nearest = icmp eq i64 %linear, 0
  br i1 %nearest, label %wrong, label %right
right:
  %type.at = getelementptr inbounds i8, ptr %image, i64 44
  %type = load i32, ptr %type.at
  switch i32 %type, label %wrong [ i32 2, label %order ]
order:
  %order.at = getelementptr inbounds i8, ptr %image, i64 40
  %o = load i32, ptr %order.at
  %rgba = icmp eq i32 %o, 5
  %both = and i1 %rgba, %array
  br i1 %both, label %size, label %wrong
size:
  %size.at = getelementptr inbounds i8, ptr %image, i64 48
  %bytes = load i32, ptr %size.at
  br label %end
wrong:
  br label %end
end:
  %value = phi i32 [ 0, %wrong ], [ %bytes, %size ]
  %sum = add i32 %width, %value
  ret i32 %sum
}

declare void @llvm.lifetime.start.p0(i64, ptr)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.cl", directory: "")
!2 = !{i32 1, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "k", scope: !1, file: !1, type: !5, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!8 = !{!"image2d_t", !"sampler_t", !"int*"}
!9 = !DILocation(line: 1, scope: !4)
!10 = distinct !DISubprogram(name: "helper", scope: !1, file: !1, type: !5, spFlags: DISPFlagDefinition, unit: !0)
!11 = !DILocation(line: 2, scope: !10)
