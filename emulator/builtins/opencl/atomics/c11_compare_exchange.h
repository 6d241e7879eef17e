// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomic_compare_exchange_{weak,strong}[_explicit] in the address space US_SPACE, expected in US_EXPECTED.
// "The failure argument shall be no stronger than the success argument": ours is the strongest that this allows, so the
// argument itself is not looked at, and the number of cases stays small.
#include "emulator/builtins/opencl/atomics/atomics.h"

#define US_CASE(SUCCESS, FAILURE)                                                                                      \
  case SUCCESS:                                                                                                        \
    return __opencl_atomic_compare_exchange_strong(p, expected, desired, SUCCESS, FAILURE, memory_scope_device);
#define US_COMPARE_EXCHANGE(A, T)                                                                                      \
  US_INLINE bool us_exchange_if(US_SPACE A *p, US_EXPECTED T *expected, T desired, memory_order order) {               \
    switch (order) {                                                                                                   \
      US_CASE(memory_order_relaxed, memory_order_relaxed)                                                              \
      US_CASE(memory_order_acquire, memory_order_acquire)                                                              \
      US_CASE(memory_order_release, memory_order_relaxed)                                                              \
      US_CASE(memory_order_acq_rel, memory_order_acquire)                                                              \
      US_CASE(memory_order_seq_cst, memory_order_seq_cst)                                                              \
    }                                                                                                                  \
    return false;                                                                                                      \
  }                                                                                                                    \
  US_STRENGTH(atomic_compare_exchange_weak, A, T)                                                                      \
  US_STRENGTH(atomic_compare_exchange_strong, A, T)
#define US_STRENGTH(NAME, A, T)                                                                                        \
  US_OVERLOAD bool NAME(volatile US_SPACE A *p, US_EXPECTED T *expected, T desired) {                                  \
    return us_exchange_if((US_SPACE A *)p, expected, desired, memory_order_seq_cst);                                   \
  }                                                                                                                    \
  US_OVERLOAD bool NAME##_explicit(volatile US_SPACE A *p, US_EXPECTED T *expected, T desired, memory_order success,   \
                                   memory_order failure) {                                                             \
    return us_exchange_if((US_SPACE A *)p, expected, desired, success);                                                \
  }                                                                                                                    \
  US_OVERLOAD bool NAME##_explicit(volatile US_SPACE A *p, US_EXPECTED T *expected, T desired, memory_order success,   \
                                   memory_order failure, memory_scope scope) {                                         \
    return us_exchange_if((US_SPACE A *)p, expected, desired, success);                                                \
  }
US_COMPARE_EXCHANGE(atomic_int, int)
US_COMPARE_EXCHANGE(atomic_uint, uint)
US_COMPARE_EXCHANGE(atomic_long, long)
US_COMPARE_EXCHANGE(atomic_ulong, ulong)
US_COMPARE_EXCHANGE(atomic_float, float)
US_COMPARE_EXCHANGE(atomic_double, double)
