// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic functions that say order and scope, of numbers of 4 and 8 bytes; loads and stores of 1 and 2 too. An order is
// as strong as the fences around it, which may be stronger than what was asked for.
#pragma once

#include "understudy/atomics.h"

enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

#define US_DEVICE static __device__ __forceinline__
US_DEVICE void us_fence(int scope) {
  if (scope <= __NV_THREAD_SCOPE_BLOCK)
    __threadfence_block();
  else if (scope < __NV_THREAD_SCOPE_SYSTEM)
    __threadfence();
  else
    __threadfence_system();
}
US_DEVICE void us_before(int order, int scope) {
  if (order >= __NV_ATOMIC_RELEASE) us_fence(scope);
}
US_DEVICE void us_after(int order, int scope) {
  if (order != __NV_ATOMIC_RELAXED && order != __NV_ATOMIC_RELEASE) us_fence(scope);
}
US_DEVICE void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  if (order != __NV_ATOMIC_RELAXED) us_fence(scope);
}

template <unsigned Size> struct us_bits;
template <> struct us_bits<4> {
  using type = unsigned int;
};
template <> struct us_bits<8> {
  using type = unsigned long long;
};
template <class T> using us_bits_of = typename us_bits<sizeof(T)>::type;

template <class T> US_DEVICE T __nv_atomic_load_n(T *from, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  if (order == __NV_ATOMIC_SEQ_CST) us_fence(scope);
  const T value = *(const volatile T *)from;
  us_after(order, scope);
  return value;
}
template <class T> US_DEVICE void __nv_atomic_load(T *from, T *into, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *into = __nv_atomic_load_n(from, order, scope);
}
template <class T> US_DEVICE void __nv_atomic_store_n(T *to, T value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  us_before(order, scope);
  *(volatile T *)to = value;
  if (order == __NV_ATOMIC_SEQ_CST) us_fence(scope);
}
template <class T> US_DEVICE void __nv_atomic_store(T *to, T *value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store_n(to, *value, order, scope);
}
template <class T> US_DEVICE T __nv_atomic_exchange_n(T *at, T value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  us_before(order, scope);
  const auto old = atomicExch_system((us_bits_of<T> *)at, __builtin_bit_cast(us_bits_of<T>, value));
  us_after(order, scope);
  return __builtin_bit_cast(T, old);
}
template <class T>
US_DEVICE void __nv_atomic_exchange(T *at, T *value, T *old, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *old = __nv_atomic_exchange_n(at, *value, order, scope);
}
template <class T>
US_DEVICE bool __nv_atomic_compare_exchange_n(T *at, T *expected, T desired, bool, int order, int,
                                              int scope = __NV_THREAD_SCOPE_SYSTEM) {
  const auto wanted = __builtin_bit_cast(us_bits_of<T>, *expected);
  us_before(order, scope);
  const auto old = atomicCAS_system((us_bits_of<T> *)at, wanted, __builtin_bit_cast(us_bits_of<T>, desired));
  us_after(order, scope);
  *expected = __builtin_bit_cast(T, old);
  return old == wanted;
}
template <class T>
US_DEVICE bool __nv_atomic_compare_exchange(T *at, T *expected, T *desired, bool weak, int order, int failure,
                                            int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange_n(at, expected, *desired, weak, order, failure, scope);
}

// fetch_NAME gives what was there before; NAME nothing.
#define US_FETCH(NAME, OPERATION)                                                                                      \
  template <class T>                                                                                                   \
  US_DEVICE T __nv_atomic_fetch_##NAME(T *at, T value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {              \
    us_before(order, scope);                                                                                           \
    T old = *(volatile T *)at;                                                                                         \
    for (;;) {                                                                                                         \
      T next = OPERATION;                                                                                              \
      T found = old;                                                                                                   \
      if (__nv_atomic_compare_exchange_n(at, &found, next, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED, scope))    \
        break;                                                                                                         \
      old = found;                                                                                                     \
    }                                                                                                                  \
    us_after(order, scope);                                                                                            \
    return old;                                                                                                        \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  US_DEVICE void __nv_atomic_##NAME(T *at, T value, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {                 \
    (void)__nv_atomic_fetch_##NAME(at, value, order, scope);                                                           \
  }
US_FETCH(add, old + value)
US_FETCH(sub, old - value)
US_FETCH(and, old &value)
US_FETCH(or, old | value)
US_FETCH(xor, old ^ value)
US_FETCH(min, value < old ? value : old)
US_FETCH(max, old < value ? value : old)
#undef US_FETCH
#undef US_DEVICE
