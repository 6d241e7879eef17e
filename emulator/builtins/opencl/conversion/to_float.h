// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// convert_<TO><n><SUFFIX> for float and double, from all types. Compiled once for each destination and suffix, with
//   US_TO (float), US_TO_NAME ("f32"), US_TO_BITS (int: the integer type of its size), US_SUFFIX (_rtp), US_ROUND (rte,
//   rtz, rtp, rtn).
// The host rounds to nearest; the other modes step to the neighbour if the nearest value lies on the wrong side.
#include "emulator/builtins/opencl/support.h"

#define US_PASTE_(A, B, C) A##B##C
#define US_PASTE(A, B, C) US_PASTE_(A, B, C)
#define US_NAME(N) US_PASTE(convert_, US_PASTE(US_TO, N, ), US_SUFFIX)
#define US_TYPE(N) US_PASTE(US_TO, N, )
#define US_BITS(N) US_PASTE(US_TO_BITS, N, )
#define US_SCALAR(x, T) ((T)(x))
#define US_VECTOR(x, T) __builtin_convertvector(x, T)

#define US_FROM_EXACT(N, V, CONVERT)                                                                                   \
  US_OVERLOAD US_TYPE(N) US_NAME(N)(V x) { return CONVERT(x, US_TYPE(N)); }

// nearest, and whether it grew above or fell below the exact value. The bits of a float grow with its magnitude.
#define US_STEP_rte(I, bits, grew, fell) bits
#define US_STEP_rtz(I, bits, grew, fell) (bits < (I)0 ? fell : grew) ? bits - (I)1 : bits
#define US_STEP_rtp(I, bits, grew, fell) fell ? bits + ((bits < (I)0 ? (I) - 1 : (I)0) | (I)1) : bits
#define US_STEP_rtn(I, bits, grew, fell) grew ? bits - ((bits < (I)0 ? (I) - 1 : (I)0) | (I)1) : bits
#define US_STEP(N, bits, grew, fell) US_PASTE(US_STEP_, US_ROUND, )(US_BITS(N), bits, grew, fell)
#define US_STEPPER(N)                                                                                                  \
  US_INLINE US_TYPE(N) us_step(US_TYPE(N) nearest, US_BITS(N) grew, US_BITS(N) fell) {                                 \
    US_BITS(N) bits = __builtin_astype(nearest, US_BITS(N));                                                           \
    return __builtin_astype((US_BITS(N))(US_STEP(N, bits, grew, fell)), US_TYPE(N));                                   \
  }
US_STEPPER()
US_STEPPER(2)
US_STEPPER(3)
US_STEPPER(4)
US_STEPPER(8)
US_STEPPER(16)

// From integers that have more bits than the significand. The way back saturates, so the value just above the largest
// integer needs its own test.
#define US_ROUNDED_INTEGER(N, V, CONVERT, ABOVE, BACK)                                                                 \
  US_OVERLOAD US_TYPE(N) US_NAME(N)(V x) {                                                                             \
    US_TYPE(N) nearest = CONVERT(x, US_TYPE(N));                                                                       \
    V back = BACK##N(nearest);                                                                                         \
    US_BITS(N) grew = CONVERT(back > x, US_BITS(N)) | CONVERT(nearest >= (US_TYPE(N))ABOVE, US_BITS(N));               \
    return us_step(nearest, grew, CONVERT(back < x, US_BITS(N)));                                                      \
  }
#define US_ROUNDED_INTEGERS(FROM, SIGN, FROM_NAME, ABOVE)                                                              \
  FROM us_back_##FROM(US_TYPE() x) __asm("llvm.fpto" SIGN "i.sat." FROM_NAME "." US_TO_NAME);                          \
  FROM##2 us_back_##FROM##2(US_TYPE(2) x) __asm("llvm.fpto" SIGN "i.sat.v2" FROM_NAME ".v2" US_TO_NAME);               \
  FROM##3 us_back_##FROM##3(US_TYPE(3) x) __asm("llvm.fpto" SIGN "i.sat.v3" FROM_NAME ".v3" US_TO_NAME);               \
  FROM##4 us_back_##FROM##4(US_TYPE(4) x) __asm("llvm.fpto" SIGN "i.sat.v4" FROM_NAME ".v4" US_TO_NAME);               \
  FROM##8 us_back_##FROM##8(US_TYPE(8) x) __asm("llvm.fpto" SIGN "i.sat.v8" FROM_NAME ".v8" US_TO_NAME);               \
  FROM##16 us_back_##FROM##16(US_TYPE(16) x) __asm("llvm.fpto" SIGN "i.sat.v16" FROM_NAME ".v16" US_TO_NAME);          \
  US_ROUNDED_INTEGER(, FROM, US_SCALAR, ABOVE, us_back_##FROM)                                                         \
  US_ROUNDED_INTEGER(2, FROM##2, US_VECTOR, ABOVE, us_back_##FROM)                                                     \
  US_ROUNDED_INTEGER(3, FROM##3, US_VECTOR, ABOVE, us_back_##FROM)                                                     \
  US_ROUNDED_INTEGER(4, FROM##4, US_VECTOR, ABOVE, us_back_##FROM)                                                     \
  US_ROUNDED_INTEGER(8, FROM##8, US_VECTOR, ABOVE, us_back_##FROM)                                                     \
  US_ROUNDED_INTEGER(16, FROM##16, US_VECTOR, ABOVE, us_back_##FROM)

#define US_FROM_DOUBLE(N, V, CONVERT)                                                                                  \
  US_OVERLOAD US_TYPE(N) US_NAME(N)(V x) {                                                                             \
    US_TYPE(N) nearest = CONVERT(x, US_TYPE(N));                                                                       \
    V back = CONVERT(nearest, V);                                                                                      \
    return us_step(nearest, CONVERT(back > x, US_BITS(N)), CONVERT(back < x, US_BITS(N)));                             \
  }

#define US_EXACT(FROM)                                                                                                 \
  US_FROM_EXACT(, FROM, US_SCALAR)                                                                                     \
  US_FROM_EXACT(2, FROM##2, US_VECTOR)                                                                                 \
  US_FROM_EXACT(3, FROM##3, US_VECTOR)                                                                                 \
  US_FROM_EXACT(4, FROM##4, US_VECTOR)                                                                                 \
  US_FROM_EXACT(8, FROM##8, US_VECTOR)                                                                                 \
  US_FROM_EXACT(16, FROM##16, US_VECTOR)

US_EXACT(char)
US_EXACT(uchar)
US_EXACT(short)
US_EXACT(ushort)
US_EXACT(half)
US_EXACT(float)
#if US_NEAREST
US_EXACT(int)
US_EXACT(uint)
US_EXACT(long)
US_EXACT(ulong)
US_EXACT(double)
#else
US_ROUNDED_INTEGERS(long, "s", "i64", 0x1p+63)
US_ROUNDED_INTEGERS(ulong, "u", "i64", 0x1p+64)
#if US_TO_IS_DOUBLE
US_EXACT(int)
US_EXACT(uint)
US_EXACT(double)
#else
US_ROUNDED_INTEGERS(int, "s", "i32", 0x1p+31)
US_ROUNDED_INTEGERS(uint, "u", "i32", 0x1p+32)
US_FROM_DOUBLE(, double, US_SCALAR)
US_FROM_DOUBLE(2, double2, US_VECTOR)
US_FROM_DOUBLE(3, double3, US_VECTOR)
US_FROM_DOUBLE(4, double4, US_VECTOR)
US_FROM_DOUBLE(8, double8, US_VECTOR)
US_FROM_DOUBLE(16, double16, US_VECTOR)
#endif
#endif
