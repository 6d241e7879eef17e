// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fabs, copysign, nan: exact, bits only.
#include "emulator/builtins/opencl/math/widths.h"

float US_HOT fabs(float x) { return absOf(x); }
double US_HOT fabs(double x) { return absOf(x); }
US_COMPONENTS1(fabs, float, float)
US_COMPONENTS1(fabs, double, double)
half US_HOT fabs(half x) { return absOf(x); }
US_COMPONENTS1(fabs, half, half)

float US_HOT copysign(float x, float y) { return withSign(x, y); }
double US_HOT copysign(double x, double y) { return withSign(x, y); }
US_COMPONENTS2(copysign, float, float, float)
US_COMPONENTS2(copysign, double, double, double)
half US_HOT copysign(half x, half y) { return withSign(x, y); }
US_COMPONENTS2(copysign, half, half, half)

float US_HOT nan(uint code) { return as_float(0x7fc00000u | code); }
double US_HOT nan(ulong code) { return as_double(0x7ff8000000000000ul | code); }
half US_HOT nan(ushort code) { return as_half((ushort)(0x7e00 | code)); }
US_COMPONENTS1(nan, float, uint)
US_COMPONENTS1(nan, double, ulong)
US_COMPONENTS1(nan, half, ushort)
