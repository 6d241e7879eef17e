// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic functions, device-wide, of a block and of the system: overloads over the operations that Clang's headers name.
#pragma once

#include "crt/host_defines.h"

#define US_DEVICE static __device__ __forceinline__

// X(suffix) for the three scopes; suffix names both the overload and Clang's function.
#define US_SCOPES(X, ...) X(, __VA_ARGS__) X(_block, __VA_ARGS__) X(_system, __VA_ARGS__)

#define US_ATOMIC(SCOPE, NAME, T, OPERATION, CAST)                                                                     \
  US_DEVICE T atomic##NAME##SCOPE(T *address, T value) { return (T)OPERATION##SCOPE((CAST *)address, (CAST)value); }
US_SCOPES(US_ATOMIC, Add, int, __iAtomicAdd, int)
US_SCOPES(US_ATOMIC, Add, unsigned int, __uAtomicAdd, unsigned int)
US_SCOPES(US_ATOMIC, Add, unsigned long long, __ullAtomicAdd, unsigned long long)
US_SCOPES(US_ATOMIC, Add, float, __fAtomicAdd, float)
#if UNDERSTUDY_ARCH >= 600
US_SCOPES(US_ATOMIC, Add, double, __dAtomicAdd, double)
#endif
US_SCOPES(US_ATOMIC, Exch, int, __iAtomicExch, int)
US_SCOPES(US_ATOMIC, Exch, unsigned int, __uAtomicExch, unsigned int)
US_SCOPES(US_ATOMIC, Exch, unsigned long long, __ullAtomicExch, unsigned long long)
US_SCOPES(US_ATOMIC, Exch, float, __fAtomicExch, float)
US_SCOPES(US_ATOMIC, Min, int, __iAtomicMin, int)
US_SCOPES(US_ATOMIC, Min, unsigned int, __uAtomicMin, unsigned int)
US_SCOPES(US_ATOMIC, Min, long long, __illAtomicMin, long long)
US_SCOPES(US_ATOMIC, Min, unsigned long long, __ullAtomicMin, unsigned long long)
US_SCOPES(US_ATOMIC, Max, int, __iAtomicMax, int)
US_SCOPES(US_ATOMIC, Max, unsigned int, __uAtomicMax, unsigned int)
US_SCOPES(US_ATOMIC, Max, long long, __illAtomicMax, long long)
US_SCOPES(US_ATOMIC, Max, unsigned long long, __ullAtomicMax, unsigned long long)
US_SCOPES(US_ATOMIC, Inc, unsigned int, __uAtomicInc, unsigned int)
US_SCOPES(US_ATOMIC, Dec, unsigned int, __uAtomicDec, unsigned int)
#define US_ATOMIC_BITS(NAME)                                                                                           \
  US_SCOPES(US_ATOMIC, NAME, int, __iAtomic##NAME, int)                                                                \
  US_SCOPES(US_ATOMIC, NAME, unsigned int, __uAtomic##NAME, unsigned int)                                              \
  US_SCOPES(US_ATOMIC, NAME, long long, __llAtomic##NAME, long long)                                                   \
  US_SCOPES(US_ATOMIC, NAME, unsigned long long, __ullAtomic##NAME, unsigned long long)
US_ATOMIC_BITS(And)
US_ATOMIC_BITS(Or)
US_ATOMIC_BITS(Xor)
#undef US_ATOMIC_BITS
#undef US_ATOMIC

#define US_ATOMIC_SUB(SCOPE, T)                                                                                        \
  US_DEVICE T atomicSub##SCOPE(T *address, T value) { return atomicAdd##SCOPE(address, (T)(0u - (unsigned)value)); }
US_SCOPES(US_ATOMIC_SUB, int)
US_SCOPES(US_ATOMIC_SUB, unsigned int)
#undef US_ATOMIC_SUB

// The scope is written out: Clang's functions have no scope for unsigned int.
#define US_ATOMIC_CAS(SCOPE, SPELLED, T, BITS, REGISTER)                                                               \
  US_DEVICE T atomicCAS##SCOPE(T *address, T compare, T value) {                                                       \
    T old;                                                                                                             \
    asm volatile("atom" SPELLED ".cas." BITS " %0, [%1], %2, %3;"                                                      \
                 : "=" REGISTER(old)                                                                                   \
                 : "l"(address), REGISTER(compare), REGISTER(value)                                                    \
                 : "memory");                                                                                          \
    return old;                                                                                                        \
  }
#define US_ATOMIC_CAS_SCOPES(T, BITS, REGISTER)                                                                        \
  US_ATOMIC_CAS(, "", T, BITS, REGISTER)                                                                               \
  US_ATOMIC_CAS(_block, ".cta", T, BITS, REGISTER)                                                                     \
  US_ATOMIC_CAS(_system, ".sys", T, BITS, REGISTER)
US_ATOMIC_CAS_SCOPES(int, "b32", "r")
US_ATOMIC_CAS_SCOPES(unsigned int, "b32", "r")
US_ATOMIC_CAS_SCOPES(unsigned long long, "b64", "l")
US_ATOMIC_CAS_SCOPES(long long, "b64", "l")
#if UNDERSTUDY_ARCH >= 700
US_ATOMIC_CAS_SCOPES(unsigned short, "b16", "h")
#endif
#undef US_ATOMIC_CAS_SCOPES
#undef US_ATOMIC_CAS
#undef US_SCOPES

// Loads and stores with a cache operator.
#define US_CACHED(T, PTX, REGISTER, AS)                                                                                \
  US_CACHED_LOAD(__ldcg, "cg", T, PTX, REGISTER, AS)                                                                   \
  US_CACHED_LOAD(__ldca, "ca", T, PTX, REGISTER, AS)                                                                   \
  US_CACHED_LOAD(__ldcs, "cs", T, PTX, REGISTER, AS)                                                                   \
  US_CACHED_LOAD(__ldlu, "lu", T, PTX, REGISTER, AS)                                                                   \
  US_CACHED_LOAD(__ldcv, "cv", T, PTX, REGISTER, AS)                                                                   \
  US_CACHED_STORE(__stwb, "wb", T, PTX, REGISTER, AS)                                                                  \
  US_CACHED_STORE(__stcg, "cg", T, PTX, REGISTER, AS)                                                                  \
  US_CACHED_STORE(__stcs, "cs", T, PTX, REGISTER, AS)                                                                  \
  US_CACHED_STORE(__stwt, "wt", T, PTX, REGISTER, AS)
#define US_CACHED_LOAD(NAME, OPERATOR, T, PTX, REGISTER, AS)                                                           \
  US_DEVICE T NAME(const T *address) {                                                                                 \
    AS value;                                                                                                          \
    asm volatile("ld.global." OPERATOR "." PTX " %0, [%1];"                                                            \
                 : "=" REGISTER(value)                                                                                 \
                 : "l"((size_t)__nv_cvta_generic_to_global_impl(address))                                              \
                 : "memory");                                                                                          \
    return (T)value;                                                                                                   \
  }
#define US_CACHED_STORE(NAME, OPERATOR, T, PTX, REGISTER, AS)                                                          \
  US_DEVICE void NAME(T *address, T value) {                                                                           \
    asm volatile("st.global." OPERATOR "." PTX " [%0], %1;"                                                            \
                 :                                                                                                     \
                 : "l"((size_t)__nv_cvta_generic_to_global_impl(address)), REGISTER((AS)value)                         \
                 : "memory");                                                                                          \
  }
US_CACHED(char, "s8", "r", int)
US_CACHED(signed char, "s8", "r", int)
US_CACHED(unsigned char, "u8", "r", unsigned int)
US_CACHED(short, "s16", "h", short)
US_CACHED(unsigned short, "u16", "h", unsigned short)
US_CACHED(int, "s32", "r", int)
US_CACHED(unsigned int, "u32", "r", unsigned int)
US_CACHED(long, "s64", "l", long)
US_CACHED(unsigned long, "u64", "l", unsigned long)
US_CACHED(long long, "s64", "l", long long)
US_CACHED(unsigned long long, "u64", "l", unsigned long long)
US_CACHED(float, "f32", "f", float)
US_CACHED(double, "f64", "d", double)
#undef US_CACHED
#undef US_CACHED_LOAD
#undef US_CACHED_STORE

#if !defined(__CUDA_ARCH__) && !defined(__CUDACC_RTC__)
// Programs declare overloads of their own, some for the device's pass only, and call them in device code, which the
// host's pass reads as well: there anything will do that is chosen after all others.
#define US_OF_PROGRAMS(NAME)                                                                                           \
  template <class T, class... Rest> __device__ T NAME(T *address, Rest...);                                            \
  template <class T, class... Rest> __device__ T NAME##_block(T *address, Rest...);                                    \
  template <class T, class... Rest> __device__ T NAME##_system(T *address, Rest...);
US_OF_PROGRAMS(atomicAdd)
US_OF_PROGRAMS(atomicSub)
US_OF_PROGRAMS(atomicExch)
US_OF_PROGRAMS(atomicMin)
US_OF_PROGRAMS(atomicMax)
US_OF_PROGRAMS(atomicAnd)
US_OF_PROGRAMS(atomicOr)
US_OF_PROGRAMS(atomicXor)
US_OF_PROGRAMS(atomicCAS)
#undef US_OF_PROGRAMS
#endif

#undef US_DEVICE
