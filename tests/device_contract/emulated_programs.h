// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What DeviceUnderTest asks for, in the languages that emulated devices take.
#pragma once

namespace us::test {

constexpr const char *kTwice = "kernel void twice(global int *x) { size_t i = get_global_id(0); x[i] *= 2; }";

constexpr const char *kCalls = R"(
  kernel void twice(global int *x) { size_t i = get_global_id(0); x[i] *= 2; }
  kernel void calls(global int *x) { *x = is_valid_event(create_user_event()) ? 21 : 1; })";

constexpr const char *kTextures = R"(
.version 7.0
.target sm_70
.address_size 64
.global .texref bound;
.visible .global .u32 number = 7;
.visible .entry fetch(.param .u64 out, .param .u64 handle) {
  .reg .u64 %rd<3>;
  .reg .u32 %r<5>;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [handle];
  mov.u32 %r0, 0;
  tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [%rd2, {%r0}];
  st.global.u32 [%rd1], %r1;
  ret;
}
.visible .entry fetchBound(.param .u64 out) {
  .reg .u64 %rd<2>;
  .reg .u32 %r<5>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r0, 0;
  tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [bound, {%r0}];
  st.global.u32 [%rd1], %r1;
  ret;
}
.visible .entry fetchNumber(.param .u64 out) {
  .reg .u64 %rd<2>;
  .reg .u32 %r<2>;
  ld.param.u64 %rd1, [out];
  ld.global.u32 %r1, [number];
  st.global.u32 [%rd1], %r1;
  ret;
}
)";

} // namespace us::test
