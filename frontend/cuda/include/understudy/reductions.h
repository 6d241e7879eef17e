// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions over the threads of a mask, which stand for those that reductions_before.h renamed.
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
