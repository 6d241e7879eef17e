// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomic_fetch_*[_explicit] in the address space US_SPACE. Floating-point add, sub, min and max are those of
// cl_ext_float_atomics.
#include "emulator/builtins/opencl/atomics/atomics.h"

#define US_FETCH(NAME, A, T)                                                                                           \
  US_OVERLOAD T atomic_##NAME(volatile US_SPACE A *p, T value) {                                                       \
    return __opencl_atomic_##NAME((US_SPACE A *)p, value, memory_order_seq_cst, memory_scope_device);                  \
  }                                                                                                                    \
  US_OVERLOAD T atomic_##NAME##_explicit(volatile US_SPACE A *p, T value, memory_order order) {                        \
    return __opencl_atomic_##NAME((US_SPACE A *)p, value, order, memory_scope_device);                                 \
  }                                                                                                                    \
  US_OVERLOAD T atomic_##NAME##_explicit(volatile US_SPACE A *p, T value, memory_order order, memory_scope scope) {    \
    return __opencl_atomic_##NAME((US_SPACE A *)p, value, order, memory_scope_device);                                 \
  }
// Clang's declarations for atomic_uintptr_t take a ptrdiff_t, and its header has min and max of mixed signedness.
#define US_MIXED(NAME, A, R, T)                                                                                        \
  US_OVERLOAD R atomic_##NAME(volatile US_SPACE A *p, T value) { return atomic_##NAME(p, (R)value); }                  \
  US_OVERLOAD R atomic_##NAME##_explicit(volatile US_SPACE A *p, T value, memory_order order) {                        \
    return atomic_##NAME##_explicit(p, (R)value, order);                                                               \
  }                                                                                                                    \
  US_OVERLOAD R atomic_##NAME##_explicit(volatile US_SPACE A *p, T value, memory_order order, memory_scope scope) {    \
    return atomic_##NAME##_explicit(p, (R)value, order);                                                               \
  }
#define US_FLOATS(NAME)                                                                                                \
  US_FETCH(NAME, atomic_half, half) US_FETCH(NAME, atomic_float, float) US_FETCH(NAME, atomic_double, double)
#define US_INTEGERS(NAME)                                                                                              \
  US_FETCH(NAME, atomic_int, int)                                                                                      \
  US_FETCH(NAME, atomic_uint, uint)                                                                                    \
  US_FETCH(NAME, atomic_long, long)                                                                                    \
  US_FETCH(NAME, atomic_ulong, ulong)
#if US_ARITHMETIC
US_INTEGERS(fetch_add)
US_INTEGERS(fetch_sub)
US_FLOATS(fetch_add)
US_FLOATS(fetch_sub)
US_MIXED(fetch_add, atomic_ulong, ulong, long)
US_MIXED(fetch_sub, atomic_ulong, ulong, long)
#else
US_INTEGERS(fetch_or)
US_INTEGERS(fetch_xor)
US_INTEGERS(fetch_and)
US_INTEGERS(fetch_min)
US_INTEGERS(fetch_max)
US_FLOATS(fetch_min)
US_FLOATS(fetch_max)
#define US_MIXED_ALL(NAME) US_MIXED(NAME, atomic_ulong, ulong, long) US_MIXED(NAME, atomic_long, long, ulong)
US_MIXED_ALL(fetch_min)
US_MIXED_ALL(fetch_max)
US_MIXED_ALL(fetch_or)
US_MIXED_ALL(fetch_xor)
US_MIXED_ALL(fetch_and)
#endif
