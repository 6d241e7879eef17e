// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// step: "Returns 0.0 if x < edge, otherwise it returns 1.0"; smoothstep: Hermite interpolation between two edges.
#include "emulator/builtins/opencl/support.h"

#define STEP(T)                                                                                                        \
  US_OVERLOAD T step(T edge, T x) { return x < edge ? (T)0 : (T)1; }                                                   \
  US_OVERLOAD T smoothstep(T edge0, T edge1, T x) {                                                                    \
    T t = (x - edge0) / (edge1 - edge0);                                                                               \
    t = t < (T)0 ? (T)0 : t;                                                                                           \
    t = t > (T)1 ? (T)1 : t;                                                                                           \
    return t * t * ((T)3 - (T)2 * t);                                                                                  \
  }
#define STEP_SCALAR(V, T)                                                                                              \
  US_OVERLOAD V step(T edge, V x) { return step((V)edge, x); }                                                         \
  US_OVERLOAD V smoothstep(T edge0, T edge1, V x) { return smoothstep((V)edge0, (V)edge1, x); }
#define ALL(T) US_WIDTHS(STEP, T) US_VECTORS(STEP_SCALAR, T, T)
US_FLOAT_TYPES(ALL)
