// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CUDA C++ code has without including anything: the compiler includes this file first. For a host compiler it is
// the runtime API, with its overloads where the language is C++.
#ifndef UNDERSTUDY_CUDA_RUNTIME_H
#define UNDERSTUDY_CUDA_RUNTIME_H

// What programs ask for to know that the types and functions are there.
#define __CUDA_RUNTIME_H__
// ... and headers of other toolkits, which have nothing to add.
#define __BUILTIN_TYPES_H__
#define __CHANNEL_DESCRIPTOR_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__

/* With --extended-lambda header libraries ask which lambdas are NVIDIA's wrapped ones, whose results the host does not
   know. Ours are as they are written. */
#ifdef __CUDACC_EXTENDED_LAMBDA__
#define __nv_is_extended_device_lambda_closure_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false
#endif

#include "cuda_runtime_api.h"
#include "driver_functions.h"

/* clang++ -x cuda --cuda-path=...: Clang's own header includes this one between others, and ours that follow at its end
   (curand_mtgp32_kernel.h). */
#if defined(__CUDA__) && defined(__clang__) && !defined(__CLANG_CUDA_RUNTIME_WRAPPER_H__)

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
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "understudy/host_math.h"
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
#include "understudy/address_spaces.h"
using cuuint32_t = unsigned int;
#include "understudy/reductions_before.h"

#include <__clang_cuda_intrinsics.h>

#include "understudy/reductions.h"

#include <__clang_cuda_complex_builtins.h>

#include "cuda_device_runtime_api.h"
#include "understudy/atomics.h"
#include "understudy/ordered_atomics.h"
#include "understudy/textures.h"
#pragma pop_macro("CUDA_VERSION")
#if defined(__CUDACC_RTC__)
// NVRTC is no other compiler, and libcu++ asks for Clang and GCC before it asks for NVRTC.
#undef __clang__
#undef __clang_major__
#undef __clang_minor__
#undef __clang_patchlevel__
#undef __GNUC__
#undef __GNUC_MINOR__
#undef __GNUC_PATCHLEVEL__
#undef __GNUG__
#endif
#endif

#if defined(__cplusplus) && !defined(__CUDACC_RTC__) && !defined(__CLANG_CUDA_RUNTIME_WRAPPER_H__)
#include "understudy/runtime_overloads.h"
#endif

#endif
