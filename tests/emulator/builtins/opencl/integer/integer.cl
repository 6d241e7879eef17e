// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The integer functions as loops over arrays, for integer_test.cpp.
#include "widths.h"

#define ONE(F, R, A) US_APPLY1(F, test_##F##_##A, R, A) US_SAME1(F, widths_##F##_##A, R, A)
#define TWO(F, R, A, B) US_APPLY2(F, test_##F##_##A, R, A, B) US_SAME2(F, widths_##F##_##A, R, A, B)
#define THREE(F, R, A, B, C) US_APPLY3(F, test_##F##_##A, R, A, B, C) US_SAME3(F, widths_##F##_##A, R, A, B, C)
#include "../opencl/integer/functions.def"

// The forms with a scalar bound.
ulong scalar_bounds(global int *a, ulong n) {
  ulong wrong = 0;
  for (ulong i = 0; i + 6 <= n; ++i) {
    int4 x = (int4)(a[i], a[i + 1], a[i + 2], a[i + 3]);
    int low = a[i + 4], high = a[i + 5];
    wrong += any(min(x, low) != min(x, (int4)low)) + any(max(x, low) != max(x, (int4)low));
    wrong += any(clamp(x, low, high) != clamp(x, (int4)low, (int4)high));
  }
  return wrong;
}

#define BITFIELD(T, S, U)                                                                                              \
  void test_bitfield_##T(global T *base, global T *insert, uint offset, uint count, global T *inserted, global S *s,   \
                         global U *u, ulong n) {                                                                       \
    for (ulong i = 0; i < n; ++i) {                                                                                    \
      inserted[i] = bitfield_insert(base[i], insert[i], offset, count);                                                \
      s[i] = bitfield_extract_signed(base[i], offset, count);                                                          \
      u[i] = bitfield_extract_unsigned(base[i], offset, count);                                                        \
    }                                                                                                                  \
  }
BITFIELD(char, char, uchar)
BITFIELD(ushort, short, ushort)
BITFIELD(int, int, uint)
BITFIELD(ulong, long, ulong)

void test_dot(global uint *a, global uint *b, global int *accumulator, global int *result, ulong n) {
  for (ulong i = 0; i < n; ++i, result += 16) {
    uint x = a[i], y = b[i];
    int c = accumulator[i];
    result[0] = as_int(dot(as_uchar4(x), as_uchar4(y)));
    result[1] = dot(as_char4(x), as_char4(y));
    result[2] = dot(as_uchar4(x), as_char4(y));
    result[3] = dot(as_char4(x), as_uchar4(y));
    result[4] = as_int(dot_acc_sat(as_uchar4(x), as_uchar4(y), as_uint(c)));
    result[5] = dot_acc_sat(as_char4(x), as_char4(y), c);
    result[6] = dot_acc_sat(as_uchar4(x), as_char4(y), c);
    result[7] = dot_acc_sat(as_char4(x), as_uchar4(y), c);
    result[8] = as_int(dot_4x8packed_uu_uint(x, y));
    result[9] = dot_4x8packed_ss_int(x, y);
    result[10] = dot_4x8packed_us_int(x, y);
    result[11] = dot_4x8packed_su_int(x, y);
    result[12] = as_int(dot_acc_sat_4x8packed_uu_uint(x, y, as_uint(c)));
    result[13] = dot_acc_sat_4x8packed_ss_int(x, y, c);
    result[14] = dot_acc_sat_4x8packed_us_int(x, y, c);
    result[15] = dot_acc_sat_4x8packed_su_int(x, y, c);
  }
}
