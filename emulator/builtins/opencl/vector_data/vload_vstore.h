// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vloadn and vstoren in the address space US_SPACE: n elements at p + offset * n, aligned like one element.
// Three elements are moved one by one: a load of a 3-vector would touch a fourth.
#include "emulator/builtins/opencl/support.h"

#define US_UNALIGNED(T, N) typedef T##N us_##T##N __attribute__((aligned(sizeof(T))));
#define US_ALL_UNALIGNED(T) US_UNALIGNED(T, 2) US_UNALIGNED(T, 4) US_UNALIGNED(T, 8) US_UNALIGNED(T, 16)
US_ALL_TYPES(US_ALL_UNALIGNED)

#define US_LOAD(T, N)                                                                                                  \
  US_OVERLOAD T##N vload##N(size_t offset, const US_SPACE T *p) {                                                      \
    return *(const US_SPACE us_##T##N *)(p + offset * N);                                                              \
  }
#define US_LOADS(T)                                                                                                    \
  US_LOAD(T, 2)                                                                                                        \
  US_OVERLOAD T##3 vload3(size_t offset, const US_SPACE T *p) {                                                        \
    p += offset * 3;                                                                                                   \
    return (T##3)(p[0], p[1], p[2]);                                                                                   \
  }                                                                                                                    \
  US_LOAD(T, 4)                                                                                                        \
  US_LOAD(T, 8)                                                                                                        \
  US_LOAD(T, 16)
US_ALL_TYPES(US_LOADS)

#if !US_READ_ONLY
#define US_STORE(T, N)                                                                                                 \
  US_OVERLOAD void vstore##N(T##N value, size_t offset, US_SPACE T *p) {                                               \
    *(US_SPACE us_##T##N *)(p + offset * N) = value;                                                                   \
  }
#define US_STORES(T)                                                                                                   \
  US_STORE(T, 2)                                                                                                       \
  US_OVERLOAD void vstore3(T##3 value, size_t offset, US_SPACE T *p) {                                                 \
    p += offset * 3;                                                                                                   \
    p[0] = value.s0;                                                                                                   \
    p[1] = value.s1;                                                                                                   \
    p[2] = value.s2;                                                                                                   \
  }                                                                                                                    \
  US_STORE(T, 4)                                                                                                       \
  US_STORE(T, 8)                                                                                                       \
  US_STORE(T, 16)
US_ALL_TYPES(US_STORES)
#endif
