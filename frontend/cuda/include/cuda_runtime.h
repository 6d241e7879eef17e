// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CUDA C++ code has without including anything: the compiler includes this file first. For a host compiler it is
// the runtime API, with its overloads where the language is C++.
#ifndef UNDERSTUDY_CUDA_RUNTIME_H
#define UNDERSTUDY_CUDA_RUNTIME_H

// What programs ask for to know that the types and functions are there.
#define __CUDA_RUNTIME_H__

/* With --extended-lambda header libraries ask which lambdas are NVIDIA's wrapped ones, whose results the host does not
   know. Ours are as they are written. */
#ifdef __CUDACC_EXTENDED_LAMBDA__
#define __nv_is_extended_device_lambda_closure_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false
#endif

#include "cuda_runtime_api.h"
#include "driver_functions.h"

#if defined(__CUDA__) && defined(__clang__)

#if !defined(__CUDACC_RTC__) && !__has_include(<cmath>)
#error "the C++ headers of this machine are missing: install its C++ compiler (on Debian: g++)"
#endif

// Clang's headers choose by CUDA_VERSION, which programs get from cuda.h.
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION (__CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10)

// The device functions are overloads beside the host's, which must be known first.
#include <__clang_cuda_math_forward_declares.h>
#ifdef __CUDACC_RTC__
#include "understudy/rtc.h"
#else
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#endif

#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_libdevice_declares.h>
// Functions that have their device form below.
#include <__clang_cuda_device_functions.h>
#ifdef __CUDACC_RTC__
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#include <__clang_cuda_math.h>
#undef INT_MAX
#undef INT_MIN
#undef HUGE_VAL
#undef HUGE_VALF
#else
#include <__clang_cuda_math.h>
#endif

#define US_PREDICATE static __device__ __forceinline__ __attribute__((const))
US_PREDICATE unsigned int __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
US_PREDICATE unsigned int __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
US_PREDICATE unsigned int __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
US_PREDICATE unsigned int __isLocal(const void *p) { return __nvvm_isspacep_local(p); }
#if UNDERSTUDY_ARCH >= 700
/// A parameter of the kernel, which "__grid_constant__" leaves where it is.
US_PREDICATE unsigned int __isGridConstant(const void *p) {
  unsigned int result;
  asm("{ .reg .pred %%p; isspacep.param %%p, %1; selp.u32 %0, 1, 0, %%p; }" : "=r"(result) : "l"(p));
  return result;
}
#endif
#undef US_PREDICATE

extern "C" {
// What the device itself provides. Clang turns a call of printf into one of vprintf.
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...);
__device__ void *malloc(size_t) __attribute__((nothrow, malloc));
__device__ void free(void *) __attribute__((nothrow));
__device__ void __assertfail(const char *message, const char *file, unsigned int line, const char *function,
                             size_t characterSize);
// What the host's assert() calls.
__device__ static inline void __assert_fail(const char *message, const char *file, unsigned int line,
                                            const char *function) {
  __assertfail(message, file, line, function, sizeof(char));
}
}
namespace std {
__device__ static inline void *malloc(size_t size) { return ::malloc(size); }
__device__ static inline void free(void *p) { ::free(p); }
} // namespace std

#ifndef __CUDACC_RTC__
// Clang's device operators new and delete, over the malloc above.
#include <new>
#endif

// Conversions that Clang's header declares and leaves to us.
#define US_TRIPLE(NAME)                                                                                                \
  __device__ inline __cuda_builtin_##NAME##_t::operator dim3() const { return dim3(x, y, z); }                         \
  __device__ inline __cuda_builtin_##NAME##_t::operator uint3() const { return {x, y, z}; }
US_TRIPLE(threadIdx)
US_TRIPLE(blockIdx)
US_TRIPLE(blockDim)
US_TRIPLE(gridDim)
#undef US_TRIPLE

#include "understudy/math.h"
#ifdef __CUDACC_RTC__
#define UNDERSTUDY_RTC_OVERLOADS
#define numeric_limits us_numeric_limits
#include <__clang_cuda_cmath.h>
#undef numeric_limits
#undef UNDERSTUDY_RTC_OVERLOADS
#else
#include <__clang_cuda_cmath.h>
#endif
// Generic pointers and addresses in their own spaces; Clang's header uses the second for new devices.
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
using cuuint32_t = unsigned int;
// Clang 19 hands its builtins of these the mask as the value: ours take their place.
#define __reduce_add_sync us_swapped_reduce_add_sync
#define __reduce_min_sync us_swapped_reduce_min_sync
#define __reduce_max_sync us_swapped_reduce_max_sync
#define __reduce_and_sync us_swapped_reduce_and_sync
#define __reduce_or_sync us_swapped_reduce_or_sync
#define __reduce_xor_sync us_swapped_reduce_xor_sync
#include <__clang_cuda_intrinsics.h>
#undef __reduce_add_sync
#undef __reduce_min_sync
#undef __reduce_max_sync
#undef __reduce_and_sync
#undef __reduce_or_sync
#undef __reduce_xor_sync
#if UNDERSTUDY_ARCH >= 800
#define US_REDUCE(NAME, T, BUILTIN)                                                                                    \
  static __device__ __forceinline__ T __reduce_##NAME##_sync(unsigned int mask, T value) {                             \
    return (T)BUILTIN((int)value, (int)mask);                                                                          \
  }
US_REDUCE(add, unsigned int, __nvvm_redux_sync_add)
US_REDUCE(add, int, __nvvm_redux_sync_add)
US_REDUCE(min, unsigned int, __nvvm_redux_sync_umin)
US_REDUCE(min, int, __nvvm_redux_sync_min)
US_REDUCE(max, unsigned int, __nvvm_redux_sync_umax)
US_REDUCE(max, int, __nvvm_redux_sync_max)
US_REDUCE(and, unsigned int, __nvvm_redux_sync_and)
US_REDUCE(or, unsigned int, __nvvm_redux_sync_or)
US_REDUCE(xor, unsigned int, __nvvm_redux_sync_xor)
#undef US_REDUCE
#endif
#include <__clang_cuda_complex_builtins.h>

#include "cuda_device_runtime_api.h"
#include "understudy/atomics.h"
#include "understudy/ordered_atomics.h"
#include "understudy/textures.h"
#pragma pop_macro("CUDA_VERSION")
#endif

#if defined(__cplusplus) && !defined(__CUDACC_RTC__)
#include "understudy/runtime_overloads.h"
#endif

#endif
