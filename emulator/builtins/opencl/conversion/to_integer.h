// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// convert_<TO><n><SUFFIX>: to one integer type, from all types. Compiled once for each destination and suffix, with
//   US_TO (char), US_TO_BITS ("i8"), US_SIGN ("s", "u"), US_SUFFIX (_sat_rte), US_ROUND (rte, or nearest-less: rtz),
//   US_SATURATE (0, 1).
// From floating point: "convert_ ... with _sat: NaN shall be converted to 0"; without _sat the result for values out of
// range is implementation-defined: ours is the saturated one, the same everywhere.
#include "emulator/builtins/opencl/conversion/limits.h"
#include "emulator/builtins/opencl/support.h"

#define US_PASTE_(A, B, C, D) A##B##C##D
#define US_PASTE(A, B, C, D) US_PASTE_(A, B, C, D)
#define US_NAME(N) US_PASTE(convert_, US_TO, N, US_SUFFIX)
#define US_TYPE(N) US_PASTE(US_TO, N, , )
#define US_SCALAR(x, T) ((T)(x))
#define US_VECTOR(x, T) __builtin_convertvector(x, T)

// From integers. The bounds are what both types hold, so that comparing in the source type is enough.
#if US_SATURATE
#define US_FROM_INTEGER(N, FROM, V, CONVERT)                                                                           \
  US_OVERLOAD US_TYPE(N) US_NAME(N)(V x) {                                                                             \
    x = x < (V)US_LOW(US_TO, FROM) ? (V)US_LOW(US_TO, FROM) : x;                                                       \
    x = x > (V)US_HIGH(US_TO, FROM) ? (V)US_HIGH(US_TO, FROM) : x;                                                     \
    return CONVERT(x, US_TYPE(N));                                                                                     \
  }
#define US_LOW(A, B) US_LOW_(A, B)
#define US_LOW_(A, B) (B) US_COMMON_MIN(A, B)
#define US_HIGH(A, B) US_HIGH_(A, B)
#define US_HIGH_(A, B) (B) US_COMMON_MAX(A, B)
#else
#define US_FROM_INTEGER(N, FROM, V, CONVERT)                                                                           \
  US_OVERLOAD US_TYPE(N) US_NAME(N)(V x) { return CONVERT(x, US_TYPE(N)); }
#endif

// From floating point: round to an integral value, then the intrinsic that saturates.
#define US_ROUND_rte(x) __builtin_elementwise_roundeven(x)
#define US_ROUND_rtz(x) (x)
#define US_ROUND_rtp(x) __builtin_elementwise_ceil(x)
#define US_ROUND_rtn(x) __builtin_elementwise_floor(x)
#define US_ROUNDED(x) US_PASTE(US_ROUND_, US_ROUND, , )(x)
#define US_FROM_FLOAT(N, V, NAME, TO_NAME)                                                                             \
  US_OVERLOAD US_TYPE(N) us_to_integer(V x) __asm("llvm.fpto" US_SIGN "i.sat." TO_NAME "." NAME);                      \
  US_OVERLOAD US_TYPE(N) US_NAME(N)(V x) { return us_to_integer(US_ROUNDED(x)); }
#define US_FROM_HALF(N, V, F, CONVERT)                                                                                 \
  US_OVERLOAD US_TYPE(N) US_NAME(N)(V x) { return us_to_integer(US_ROUNDED(CONVERT(x, F))); }

#define US_EACH_INTEGER(FROM)                                                                                          \
  US_FROM_INTEGER(, FROM, FROM, US_SCALAR)                                                                             \
  US_FROM_INTEGER(2, FROM, FROM##2, US_VECTOR)                                                                         \
  US_FROM_INTEGER(3, FROM, FROM##3, US_VECTOR)                                                                         \
  US_FROM_INTEGER(4, FROM, FROM##4, US_VECTOR)                                                                         \
  US_FROM_INTEGER(8, FROM, FROM##8, US_VECTOR)                                                                         \
  US_FROM_INTEGER(16, FROM, FROM##16, US_VECTOR)
US_INTEGER_TYPES(US_EACH_INTEGER)

#define US_EACH_FLOAT(FROM, NAME)                                                                                      \
  US_FROM_FLOAT(, FROM, NAME, US_TO_BITS)                                                                              \
  US_FROM_FLOAT(2, FROM##2, "v2" NAME, "v2" US_TO_BITS)                                                                \
  US_FROM_FLOAT(3, FROM##3, "v3" NAME, "v3" US_TO_BITS)                                                                \
  US_FROM_FLOAT(4, FROM##4, "v4" NAME, "v4" US_TO_BITS)                                                                \
  US_FROM_FLOAT(8, FROM##8, "v8" NAME, "v8" US_TO_BITS)                                                                \
  US_FROM_FLOAT(16, FROM##16, "v16" NAME, "v16" US_TO_BITS)
US_EACH_FLOAT(float, "f32")
US_EACH_FLOAT(double, "f64")
US_FROM_HALF(, half, float, US_SCALAR)
US_FROM_HALF(2, half2, float2, US_VECTOR)
US_FROM_HALF(3, half3, float3, US_VECTOR)
US_FROM_HALF(4, half4, float4, US_VECTOR)
US_FROM_HALF(8, half8, float8, US_VECTOR)
US_FROM_HALF(16, half16, float16, US_VECTOR)
