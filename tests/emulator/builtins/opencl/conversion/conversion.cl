// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every conversion to US_TO as a loop over an array, for conversion_test.cpp; vectors must give what scalars give.
#include "widths.h"

#define PASTE_(A, B, C) A##B##C
#define PASTE(A, B, C) PASTE_(A, B, C)
#define NAME(N, SUFFIX) PASTE(PASTE(convert_, US_TO, N), SUFFIX, )
#define TEST_NAME(KIND, SUFFIX, FROM) PASTE(PASTE(KIND, _convert_, US_TO), SUFFIX, PASTE(_, FROM, ))
#define VECTOR(N, T) PASTE(T, N, )

#define CONVERT(SUFFIX, FROM)                                                                                          \
  US_APPLY1(NAME(, SUFFIX), TEST_NAME(test, SUFFIX, FROM), US_TO, FROM)                                                \
  ulong TEST_NAME(widths, SUFFIX, FROM)(global FROM * a, ulong n) {                                                    \
    ulong wrong = 0;                                                                                                   \
    US_WIDTH1(NAME(3, SUFFIX), NAME(, SUFFIX), 3, US_TO_, FROM)                                                        \
    US_WIDTH1(NAME(8, SUFFIX), NAME(, SUFFIX), 8, US_TO_, FROM)                                                        \
    return wrong;                                                                                                      \
  }
// US_WIDTH1 pastes the width to the type's name, which must not be a macro there.
typedef US_TO US_TO_;
typedef PASTE(US_TO, 3, ) US_TO_3;
typedef PASTE(US_TO, 8, ) US_TO_8;

#define MODES(FROM, SAT)                                                                                               \
  CONVERT(SAT, FROM)                                                                                                   \
  CONVERT(SAT##_rte, FROM)                                                                                             \
  CONVERT(SAT##_rtz, FROM)                                                                                             \
  CONVERT(SAT##_rtp, FROM)                                                                                             \
  CONVERT(SAT##_rtn, FROM)
#if US_TO_IS_INTEGER
#define FROM(T) MODES(T, ) MODES(T, _sat)
#else
#define FROM(T) MODES(T, )
#endif
FROM(char)
FROM(uchar)
FROM(short)
FROM(ushort)
FROM(int)
FROM(uint)
FROM(long)
FROM(ulong)
FROM(half)
FROM(float)
FROM(double)
