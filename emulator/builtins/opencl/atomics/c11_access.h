// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomic_init, atomic_load, atomic_store, atomic_exchange and the flags in the address space US_SPACE.
#include "emulator/builtins/opencl/atomics/atomics.h"

#define US_ACCESS(A, T)                                                                                                \
  US_OVERLOAD void atomic_init(volatile US_SPACE A *p, T value) { __opencl_atomic_init((US_SPACE A *)p, value); }      \
  US_OVERLOAD T atomic_load(volatile US_SPACE A *p) {                                                                  \
    return __opencl_atomic_load((US_SPACE A *)p, memory_order_seq_cst, memory_scope_device);                           \
  }                                                                                                                    \
  US_OVERLOAD T atomic_load_explicit(volatile US_SPACE A *p, memory_order order) {                                     \
    return __opencl_atomic_load((US_SPACE A *)p, order, memory_scope_device);                                          \
  }                                                                                                                    \
  US_OVERLOAD T atomic_load_explicit(volatile US_SPACE A *p, memory_order order, memory_scope scope) {                 \
    return __opencl_atomic_load((US_SPACE A *)p, order, memory_scope_device);                                          \
  }                                                                                                                    \
  US_OVERLOAD void atomic_store(volatile US_SPACE A *p, T value) {                                                     \
    __opencl_atomic_store((US_SPACE A *)p, value, memory_order_seq_cst, memory_scope_device);                          \
  }                                                                                                                    \
  US_OVERLOAD void atomic_store_explicit(volatile US_SPACE A *p, T value, memory_order order) {                        \
    __opencl_atomic_store((US_SPACE A *)p, value, order, memory_scope_device);                                         \
  }                                                                                                                    \
  US_OVERLOAD void atomic_store_explicit(volatile US_SPACE A *p, T value, memory_order order, memory_scope scope) {    \
    __opencl_atomic_store((US_SPACE A *)p, value, order, memory_scope_device);                                         \
  }                                                                                                                    \
  US_OVERLOAD T atomic_exchange(volatile US_SPACE A *p, T value) {                                                     \
    return __opencl_atomic_exchange((US_SPACE A *)p, value, memory_order_seq_cst, memory_scope_device);                \
  }                                                                                                                    \
  US_OVERLOAD T atomic_exchange_explicit(volatile US_SPACE A *p, T value, memory_order order) {                        \
    return __opencl_atomic_exchange((US_SPACE A *)p, value, order, memory_scope_device);                               \
  }                                                                                                                    \
  US_OVERLOAD T atomic_exchange_explicit(volatile US_SPACE A *p, T value, memory_order order, memory_scope scope) {    \
    return __opencl_atomic_exchange((US_SPACE A *)p, value, order, memory_scope_device);                               \
  }
US_ACCESS(atomic_int, int)
US_ACCESS(atomic_uint, uint)
US_ACCESS(atomic_long, long)
US_ACCESS(atomic_ulong, ulong)
US_ACCESS(atomic_half, half)
US_ACCESS(atomic_float, float)
US_ACCESS(atomic_double, double)

// Clang's table declares the stores of half with an atomic value.
US_OVERLOAD void atomic_store(volatile US_SPACE atomic_half *p, atomic_half value) {
  __opencl_atomic_store((US_SPACE atomic_half *)p, *(__private half *)&value, memory_order_seq_cst,
                        memory_scope_device);
}
US_OVERLOAD void atomic_store_explicit(volatile US_SPACE atomic_half *p, atomic_half value, memory_order order) {
  __opencl_atomic_store((US_SPACE atomic_half *)p, *(__private half *)&value, order, memory_scope_device);
}
US_OVERLOAD void atomic_store_explicit(volatile US_SPACE atomic_half *p, atomic_half value, memory_order order,
                                       memory_scope scope) {
  __opencl_atomic_store((US_SPACE atomic_half *)p, *(__private half *)&value, order, memory_scope_device);
}

US_INLINE bool us_test_and_set(US_SPACE atomic_flag *p, memory_order order) {
  return __opencl_atomic_exchange(p, 1, order, memory_scope_device) != 0;
}
US_INLINE void us_clear(US_SPACE atomic_flag *p, memory_order order) {
  __opencl_atomic_store(p, 0, order, memory_scope_device);
}
#define US_FLAG(R, NAME, FUNCTION)                                                                                     \
  US_OVERLOAD R NAME(volatile US_SPACE atomic_flag *p) {                                                               \
    return FUNCTION((US_SPACE atomic_flag *)p, memory_order_seq_cst);                                                  \
  }                                                                                                                    \
  US_OVERLOAD R NAME##_explicit(volatile US_SPACE atomic_flag *p, memory_order order) {                                \
    return FUNCTION((US_SPACE atomic_flag *)p, order);                                                                 \
  }                                                                                                                    \
  US_OVERLOAD R NAME##_explicit(volatile US_SPACE atomic_flag *p, memory_order order, memory_scope scope) {            \
    return FUNCTION((US_SPACE atomic_flag *)p, order);                                                                 \
  }
US_FLAG(bool, atomic_flag_test_and_set, us_test_and_set)
US_FLAG(void, atomic_flag_clear, us_clear)
