// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// length and distance: at most 2.75 + 0.5 n ulp, over the whole range (geometric/length.h).
#include "emulator/builtins/opencl/geometric/length.h"

#define LENGTH_NARROW(V, T, N, WIDE, SQRT)                                                                             \
  US_OVERLOAD T length(V x) { return (T)SQRT(us_dot(US_WIDER_##N(x, WIDE), US_WIDER_##N(x, WIDE))); }                  \
  US_OVERLOAD T distance(V x, V y) {                                                                                   \
    return (T)SQRT(                                                                                                    \
        us_dot(US_WIDER_##N(x, WIDE) - US_WIDER_##N(y, WIDE), US_WIDER_##N(x, WIDE) - US_WIDER_##N(y, WIDE)));         \
  }
US_GEOMETRIC(LENGTH_NARROW, half, float, us_sqrtf)
US_GEOMETRIC(LENGTH_NARROW, float, double, us_sqrt)

#define LENGTH_DOUBLE(V, T, N, ...)                                                                                    \
  US_OVERLOAD T length(V x) {                                                                                          \
    double scale = us_scale_for_squares(us_largest(x));                                                                \
    return us_sqrt(us_dot(x * scale, x * scale)) / scale;                                                              \
  }                                                                                                                    \
  US_OVERLOAD T distance(V x, V y) { return length(x - y); }
US_GEOMETRIC(LENGTH_DOUBLE, double)
