; Reads of a texture whose handle is an argument, kept in variables that begin with zero: floats, one channel, the nearest
; texel, clamped. Not known: a handle from memory, one that is one of two, and one with a sampler of its own.
; RUN: us-opt -passes=specialize_textures -kernel=k -opaque=37895 %s | FileCheck %s

; CHECK-LABEL: @k(
; CHECK: call <4 x i32> @ptx.tex.2d.1(i64
; CHECK: call <4 x i32> @ptx.tex.2d(i64 %stored
; CHECK: call <4 x i32> @ptx.tex.2d(i64 %either
; CHECK: call <4 x i32> @ptx.tex.2d(i64 %again, i64 %sampler
define void @k(i64 %handle, i64 %sampler, ptr %memory, ptr %out) {
  %parameter = alloca i64
  store i64 %handle, ptr %parameter
  %register = alloca i64
  store i64 0, ptr %register
  %other = alloca i64
  store i64 0, ptr %other
  store i64 %handle, ptr %other
  store i64 %sampler, ptr %other
  %loaded = load i64, ptr %parameter
  store i64 %loaded, ptr %register
  %again = load i64, ptr %register
  %a = call <4 x i32> @ptx.tex.2d(i64 %again, i64 0)
  store <4 x i32> %a, ptr %out
  %stored = load i64, ptr %memory
  %b = call <4 x i32> @ptx.tex.2d(i64 %stored, i64 0)
  store <4 x i32> %b, ptr %out
  %either = load i64, ptr %other
  %c = call <4 x i32> @ptx.tex.2d(i64 %either, i64 0)
  store <4 x i32> %c, ptr %out
  %d = call <4 x i32> @ptx.tex.2d(i64 %again, i64 %sampler)
  store <4 x i32> %d, ptr %out
  ret void
}

; What it calls is in it, and what its descriptor says is known: the address is not.
; CHECK: define internal <4 x i32> @ptx.tex.2d.1(i64 %t, i64 %s) [[INLINED:#[0-9]+]]
; CHECK-NOT: call
; CHECK: load ptr
; CHECK: <i32 7, i32 1, i32 1280, i32 4>
; CHECK: attributes [[INLINED]] = { alwaysinline }
define <4 x i32> @ptx.tex.2d(i64 %t, i64 %s) noinline cold {
  %r = call <4 x i32> @fields(i64 %t)
  ret <4 x i32> %r
}
define internal <4 x i32> @fields(i64 %t) noinline {
  %d = inttoptr i64 %t to ptr
  %data = load ptr, ptr %d
  store i8 0, ptr %data
  %p.type = getelementptr i8, ptr %d, i64 40
  %p.channels = getelementptr i8, ptr %d, i64 44
  %p.size = getelementptr i8, ptr %d, i64 48
  %p.mode = getelementptr i8, ptr %d, i64 52
  %type = load i32, ptr %p.type
  %channels = load i32, ptr %p.channels
  %mode = load i32, ptr %p.mode
  %size = load i32, ptr %p.size
  %v0 = insertelement <4 x i32> poison, i32 %type, i64 0
  %v1 = insertelement <4 x i32> %v0, i32 %channels, i64 1
  %v2 = insertelement <4 x i32> %v1, i32 %mode, i64 2
  %v3 = insertelement <4 x i32> %v2, i32 %size, i64 3
  ret <4 x i32> %v3
}
