// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The right results of the math functions, by MPFR with 100 bits, and the distance to them in units in the last place.
#pragma once
#include <string_view>

namespace us::test {

enum class Format { kHalf, kFloat, kDouble };

/// How far `result`, a number of the format, is from the right value, in ulp of the right value. A wrong special value
/// (infinity, NaN, the sign of zero) is infinitely far.
double unaryError(std::string_view function, Format format, double x, double result);
double binaryError(std::string_view function, Format format, double x, double y, double result);
double powerError(std::string_view function, Format format, double x, int n, double result);

} // namespace us::test
