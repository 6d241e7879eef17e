// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nextafter: exact, on the bits.
#include "emulator/builtins/opencl/math/widths.h"

// Neighbours of a float are neighbours as sign-magnitude integers; ±0 is one number.
#define US_NEXTAFTER(T, U, LOWEST_BIT)                                                                                 \
  T US_HOT nextafter(T x, T y) {                                                                                       \
    U bits = as_##U(x);                                                                                                \
    bool away = (x < y) == (x > (T)0);                                                                                 \
    T next = as_##T((U)(away ? bits + 1 : bits - 1));                                                                  \
    next = x == (T)0 ? withSign(as_##T((U)LOWEST_BIT), y) : next;                                                      \
    next = x == y ? y : next;                                                                                          \
    return isNan(x) || isNan(y) ? x + y : next;                                                                        \
  }                                                                                                                    \
  US_COMPONENTS2(nextafter, T, T, T)

US_NEXTAFTER(float, uint, 1)
US_NEXTAFTER(double, ulong, 1)
US_NEXTAFTER(half, ushort, 1)
