// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex numbers as pairs: names and results as in cuComplex, formulas of our own.
#pragma once

/* The name by which headers of other toolkits know that they were read: beside ours they have nothing to add. */
#define CU_COMPLEX_H_

#include "crt/host_defines.h"
#include "vector_types.h"
#ifndef __CUDACC_RTC__
#include <math.h>
#endif

#define US_BOTH __host__ __device__ static __inline__

#define US_COMPLEX(C, T, S, PAIR, R, ROOT, FABS, A)                                                                    \
  typedef PAIR C;                                                                                                      \
  US_BOTH T cuCreal##S(C x) { return x.x; }                                                                            \
  US_BOTH T cuCimag##S(C x) { return x.y; }                                                                            \
  US_BOTH C make_##A(T r, T i) {                                                                                       \
    C result;                                                                                                          \
    result.x = r;                                                                                                      \
    result.y = i;                                                                                                      \
    return result;                                                                                                     \
  }                                                                                                                    \
  US_BOTH C cuConj##S(C x) { return make_##A(x.x, -x.y); }                                                             \
  US_BOTH C cuCadd##S(C x, C y) { return make_##A(x.x + y.x, x.y + y.y); }                                             \
  US_BOTH C cuCsub##S(C x, C y) { return make_##A(x.x - y.x, x.y - y.y); }                                             \
  US_BOTH C cuCmul##S(C x, C y) { return make_##A(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x); }                     \
  US_BOTH C cuCfma##S(C x, C y, C z) { return make_##A(x.x * y.x + z.x - x.y * y.y, x.x * y.y + z.y + x.y * y.x); }    \
  /* Smith's method: divided through by the larger part of y, so that nothing overflows on the way. */                 \
  US_BOTH C cuCdiv##S(C x, C y) {                                                                                      \
    if (FABS(y.x) >= FABS(y.y)) {                                                                                      \
      const T ratio = y.y / y.x, scale = (T)1 / (y.x + y.y * ratio);                                                   \
      return make_##A((x.x + x.y * ratio) * scale, (x.y - x.x * ratio) * scale);                                       \
    }                                                                                                                  \
    const T ratio = y.x / y.y, scale = (T)1 / (y.x * ratio + y.y);                                                     \
    return make_##A((x.x * ratio + x.y) * scale, (x.y * ratio - x.x) * scale);                                         \
  }                                                                                                                    \
  US_BOTH T cuCabs##S(C x) {                                                                                           \
    const T a = FABS(x.x), b = FABS(x.y), large = a > b ? a : b, small_ = a > b ? b : a;                               \
    if (large == (T)0 || large > R || small_ > R) return large + small_;                                               \
    const T ratio = small_ / large;                                                                                    \
    return large * ROOT((T)1 + ratio * ratio);                                                                         \
  }

US_COMPLEX(cuFloatComplex, float, f, float2, 3.402823466e38f, sqrtf, fabsf, cuFloatComplex)
US_COMPLEX(cuDoubleComplex, double, , double2, 1.7976931348623157e308, sqrt, fabs, cuDoubleComplex)
typedef cuFloatComplex cuComplex;
US_BOTH cuComplex make_cuComplex(float r, float i) { return make_cuFloatComplex(r, i); }
US_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) { return make_cuDoubleComplex(x.x, x.y); }
US_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) { return make_cuFloatComplex((float)x.x, (float)x.y); }
#undef US_COMPLEX
#undef US_BOTH
