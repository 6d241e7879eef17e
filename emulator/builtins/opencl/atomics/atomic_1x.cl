// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The atomics of OpenCL C 1.x: atomic_* on 32 bits, atom_* of the cl_khr_..._atomics extensions on 32 and 64 bits.
// They are relaxed, on global and local memory (and the generic form that C++ for OpenCL declares).
#include "emulator/builtins/opencl/atomics/atomics.h"

#define ORDER memory_order_relaxed, memory_scope_device
#define FETCH(SPACE, T, PREFIX, NAME, OPERATION)                                                                       \
  US_OVERLOAD T PREFIX##_##NAME(volatile SPACE T *p, T value) {                                                        \
    return __opencl_atomic_##OPERATION((SPACE atomic_##T *)p, value, ORDER);                                           \
  }
#define ARITHMETIC(SPACE, T, PREFIX)                                                                                   \
  FETCH(SPACE, T, PREFIX, add, fetch_add)                                                                              \
  FETCH(SPACE, T, PREFIX, sub, fetch_sub)                                                                              \
  FETCH(SPACE, T, PREFIX, xchg, exchange)                                                                              \
  FETCH(SPACE, T, PREFIX, min, fetch_min)                                                                              \
  FETCH(SPACE, T, PREFIX, max, fetch_max)                                                                              \
  FETCH(SPACE, T, PREFIX, and, fetch_and)                                                                              \
  FETCH(SPACE, T, PREFIX, or, fetch_or)                                                                                \
  FETCH(SPACE, T, PREFIX, xor, fetch_xor)                                                                              \
  US_OVERLOAD T PREFIX##_inc(volatile SPACE T *p) {                                                                    \
    return __opencl_atomic_fetch_add((SPACE atomic_##T *)p, (T)1, ORDER);                                              \
  }                                                                                                                    \
  US_OVERLOAD T PREFIX##_dec(volatile SPACE T *p) {                                                                    \
    return __opencl_atomic_fetch_sub((SPACE atomic_##T *)p, (T)1, ORDER);                                              \
  }                                                                                                                    \
  US_OVERLOAD T PREFIX##_cmpxchg(volatile SPACE T *p, T expected, T desired) {                                         \
    __opencl_atomic_compare_exchange_strong((SPACE atomic_##T *)p, &expected, desired, memory_order_relaxed, ORDER);   \
    return expected;                                                                                                   \
  }
#define TYPES(SPACE)                                                                                                   \
  ARITHMETIC(SPACE, int, atomic)                                                                                       \
  ARITHMETIC(SPACE, uint, atomic)                                                                                      \
  ARITHMETIC(SPACE, int, atom)                                                                                         \
  ARITHMETIC(SPACE, uint, atom)                                                                                        \
  ARITHMETIC(SPACE, long, atom)                                                                                        \
  ARITHMETIC(SPACE, ulong, atom)                                                                                       \
  FETCH(SPACE, float, atomic, xchg, exchange)
TYPES(__global)
TYPES(__local)
TYPES(__generic)
