// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Generic pointers and addresses in their own spaces; Clang's header of intrinsics uses the second for new devices.
#pragma once

#define US_SPACE(NAME, NUMBER)                                                                                         \
  static __device__ __forceinline__ size_t __cvta_generic_to_##NAME(const void *p) {                                   \
    return (size_t)(const void __attribute__((address_space(NUMBER))) *)p;                                             \
  }                                                                                                                    \
  static __device__ __forceinline__ void *__cvta_##NAME##_to_generic(size_t address) {                                 \
    return (void *)(void __attribute__((address_space(NUMBER))) *)address;                                             \
  }
US_SPACE(global, 1)
US_SPACE(shared, 3)
US_SPACE(constant, 4)
US_SPACE(local, 5)
#undef US_SPACE
#if UNDERSTUDY_ARCH >= 700
static __device__ __forceinline__ size_t __cvta_generic_to_grid_constant(const void *p) {
  size_t address;
  asm("cvta.to.param.u64 %0, %1;" : "=l"(address) : "l"(p));
  return address;
}
static __device__ __forceinline__ void *__cvta_grid_constant_to_generic(size_t address) {
  void *p;
  asm("cvta.param.u64 %0, %1;" : "=l"(p) : "l"(address));
  return p;
}
#endif

#if UNDERSTUDY_ARCH >= 700
/// A parameter of the kernel, which "__grid_constant__" leaves where it is.
static __device__ __forceinline__ __attribute__((const)) unsigned int __isGridConstant(const void *p) {
  unsigned int result;
  asm("{ .reg .pred %%p; isspacep.param %%p, %1; selp.u32 %0, 1, 0, %%p; }" : "=r"(result) : "l"(p));
  return result;
}
#endif
