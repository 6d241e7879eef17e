// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp functions that compare values: Clang's header includes this one for the overloads over its own functions.
#pragma once

#define US_MATCH(T, WIDTH, AS)                                                                                         \
  inline __device__ unsigned int __match_any_sync(unsigned int mask, T value) {                                        \
    AS bits;                                                                                                           \
    __builtin_memcpy(&bits, &value, sizeof(bits));                                                                     \
    return __match##WIDTH##_any_sync(mask, bits);                                                                      \
  }                                                                                                                    \
  inline __device__ unsigned int __match_all_sync(unsigned int mask, T value, int *all) {                              \
    AS bits;                                                                                                           \
    __builtin_memcpy(&bits, &value, sizeof(bits));                                                                     \
    return __match##WIDTH##_all_sync(mask, bits, all);                                                                 \
  }
US_MATCH(int, 32, unsigned int)
US_MATCH(unsigned int, 32, unsigned int)
US_MATCH(float, 32, unsigned int)
US_MATCH(long, 64, unsigned long long)
US_MATCH(unsigned long, 64, unsigned long long)
US_MATCH(long long, 64, unsigned long long)
US_MATCH(unsigned long long, 64, unsigned long long)
US_MATCH(double, 64, unsigned long long)
#undef US_MATCH
