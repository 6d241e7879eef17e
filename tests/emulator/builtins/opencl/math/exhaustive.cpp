// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exhaustive [--step N] [function …]: every float (every Nth, N odd: an even one sees no odd significand) through the
// unary f32 math functions. Not part of the ordinary tests: one function takes minutes. The C library's double
// functions decide; where they say that a result is beyond three quarters of the limit, MPFR does.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "tests/emulator/builtins/opencl/math/operands.h"
#include "tests/emulator/builtins/opencl/math/reference.h"

namespace us::test {
namespace {

using ulong = std::uint64_t;

#define US_UNARY(F, ...) extern "C" void test_##F##_float(const float *, float *, ulong);
#define US_BINARY(...)
#define US_POWER_INT(...)
#define US_EXACT_UNARY(F)
#define US_EXACT_BINARY(F)
#include "tests/emulator/builtins/opencl/math/functions.def"

// What the C library lacks, exact reduction first.
double sinpi(double x) {
  if (std::isinf(x)) return NAN;
  double r = x - 2 * std::rint(x / 2);
  if (r == 0 || std::fabs(r) == 1) return std::copysign(0.0, x);
  if (r > 0.5) r = 1 - r;
  if (r < -0.5) r = -1 - r;
  return static_cast<double>(sinl(static_cast<long double>(M_PIl) * r));
}
double cospi(double x) {
  if (std::isinf(x)) return NAN;
  const double r = std::fabs(x - 2 * std::rint(x / 2));
  if (r == 0.5) return 0;
  return static_cast<double>(r < 0.25 ? cosl(M_PIl * r) : sinl(M_PIl * (0.5L - r)));
}
double tanpi(double x) {
  const double r = std::fmod(std::fabs(x), 2);
  if (r == 0 || r == 1) return std::copysign(0.0, r == 0 ? x : -x);
  if (r == 0.5 || r == 1.5) return std::copysign(INFINITY, r == 0.5 ? x : -x);
  return sinpi(x) / cospi(x);
}
double acospi(double x) { return static_cast<double>(acosl(x) / M_PIl); }
double asinpi(double x) { return static_cast<double>(asinl(x) / M_PIl); }
double atanpi(double x) { return static_cast<double>(atanl(x) / M_PIl); }
double exp10(double x) { return static_cast<double>(::exp10l(x)); }
double rsqrt(double x) { return 1 / std::sqrt(x); }

struct Function {
  const char *name;
  void (*ours)(const float *, float *, ulong);
  double (*reference)(double);
  double limit;
};
using std::acos, std::acosh, std::asin, std::asinh, std::atan, std::atanh, std::cbrt, std::cos, std::cosh, std::erf,
    std::erfc, std::exp, std::exp2, std::expm1, std::log, std::log10, std::log1p, std::log2, std::sin, std::sinh,
    std::sqrt, std::tan, std::tanh, std::tgamma;
const Function kFunctions[] = {
#define US_UNARY(F, F32, F64, HALF) {#F, test_##F##_float, F, F32 == 0 ? 0.5 : F32},
#define US_BINARY(...)
#define US_POWER_INT(...)
#define US_EXACT_UNARY(F)
#define US_EXACT_BINARY(F)
#include "tests/emulator/builtins/opencl/math/functions.def"
};

/// In ulp, by a reference in double; negative if only MPFR can tell (special values, the edge of the range).
double quickError(float found, double expected) {
  if (std::isnan(expected) && std::isnan(found)) return 0;
  if (!std::isfinite(expected) || !std::isfinite(found) || std::fabs(expected) > 0x1.fffffep+127) {
    return static_cast<float>(expected) == found ? 0 : -1;
  }
  if (expected == 0) return bitsOf(found) == bitsOf(static_cast<float>(expected)) ? 0 : -1;
  int exponent;
  std::frexp(expected, &exponent);
  return std::ldexp(std::fabs(static_cast<double>(found) - expected), 24 - std::max(exponent, -125));
}

bool sweep(const Function &function, ulong step) {
  constexpr std::size_t kBlock = 1 << 16;
  std::vector<float> x(kBlock), result(kBlock);
  double worst = 0;
  float worstAt = 0;
  for (ulong first = 0; first < (1ull << 32);) {
    std::size_t n = 0;
    for (; n < kBlock && first < (1ull << 32); ++n, first += step) x[n] = fromBits<float>(first);
    function.ours(x.data(), result.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
      double error = quickError(result[i], function.reference(x[i]));
      if (error < 0 || error > 0.75 * function.limit)
        error = unaryError(function.name, Format::kFloat, x[i], result[i]);
      if (error > worst) worst = error, worstAt = x[i];
    }
  }
  const bool good = worst <= function.limit;
  std::printf("%-8s %s: %.4f ulp of %g, at %a\n", function.name, good ? "ok" : "WRONG", worst, function.limit, worstAt);
  std::fflush(stdout);
  return good;
}

int run(int count, char **arguments) {
  ulong step = 1;
  std::vector<std::string_view> wanted;
  for (int i = 1; i < count; ++i) {
    if (std::string_view(arguments[i]) == "--step" && i + 1 < count)
      step = std::max(1ull, std::strtoull(arguments[++i], nullptr, 10));
    else
      wanted.push_back(arguments[i]);
  }
  bool good = true;
  for (const Function &function : kFunctions) {
    bool chosen = wanted.empty();
    for (std::string_view name : wanted) chosen |= name == function.name;
    if (chosen) good &= sweep(function, step);
  }
  return good ? 0 : 1;
}

} // namespace
} // namespace us::test

int main(int count, char **arguments) { return us::test::run(count, arguments); }
