// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// convert_half<n><SUFFIX>, from all types. Compiled once for each suffix, with US_SUFFIX (_rtp) and US_ROUND (rte, rtz,
// rtp, rtn). Integers go through float: it is exact up to 2^24, and what is larger is beyond the range of half in
// either type.
#include "emulator/builtins/opencl/conversion/half.h"

#define US_PASTE_(A, B, C) A##B##C
#define US_PASTE(A, B, C) US_PASTE_(A, B, C)
#define US_NAME(N) US_PASTE(convert_half, N, US_SUFFIX)
#define US_ROUNDED(x) US_PASTE(us_half_, US_ROUND, )(x)

#define US_FROM_HALF(N)                                                                                                \
  US_OVERLOAD half##N US_NAME(N)(half##N x) { return x; }
#define US_FROM_FLOAT(N, V)                                                                                            \
  US_OVERLOAD half##N US_NAME(N)(V x) { return US_ROUNDED(x); }
#define US_FROM_INTEGER(N, V, CONVERT)                                                                                 \
  US_OVERLOAD half##N US_NAME(N)(V x) { return US_ROUNDED(CONVERT(x, float##N)); }
#define US_INTEGERS(FROM)                                                                                              \
  US_FROM_INTEGER(, FROM, US_SCALAR)                                                                                   \
  US_FROM_INTEGER(2, FROM##2, US_VECTOR)                                                                               \
  US_FROM_INTEGER(3, FROM##3, US_VECTOR)                                                                               \
  US_FROM_INTEGER(4, FROM##4, US_VECTOR)                                                                               \
  US_FROM_INTEGER(8, FROM##8, US_VECTOR)                                                                               \
  US_FROM_INTEGER(16, FROM##16, US_VECTOR)
US_INTEGER_TYPES(US_INTEGERS)
#define US_FLOATS(N) US_FROM_HALF(N) US_FROM_FLOAT(N, float##N) US_FROM_FLOAT(N, double##N)
US_FLOATS()
US_FLOATS(2)
US_FLOATS(3)
US_FLOATS(4)
US_FLOATS(8)
US_FLOATS(16)
