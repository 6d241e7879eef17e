// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPFR's functions by OpenCL's names, and the definition of ulp from the specification.
#include "tests/emulator/builtins/opencl/math/reference.h"

#include <mpfr.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace us::test {
namespace {

constexpr mpfr_prec_t kPrecision = 100;
constexpr double kInfinitelyFar = std::numeric_limits<double>::infinity();

struct Number {
  Number() { mpfr_init2(value, kPrecision); }
  explicit Number(double x) : Number() { mpfr_set_d(value, x, MPFR_RNDN); }
  ~Number() { mpfr_clear(value); }
  Number(const Number &) = delete;
  Number &operator=(const Number &) = delete;
  mpfr_t value;
};

struct Limits {
  int digits, minExponent, maxExponent; // as std::numeric_limits has them
};
Limits limitsOf(Format format) {
  switch (format) {
  case Format::kHalf:
    return {11, -13, 16};
  case Format::kFloat:
    return {24, -125, 128};
  case Format::kDouble:
    return {53, -1021, 1024};
  }
  std::abort();
}

using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
struct UnaryFunction {
  std::string_view name;
  Unary function;
};
// IEEE 754 and C23 keep the sign of zero; MPFR does not.
int rsqrtOf(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  if (!mpfr_zero_p(x)) return mpfr_rec_sqrt(result, x, mode);
  mpfr_set_inf(result, mpfr_signbit(x) ? -1 : 1);
  return 0;
}
int lgammaOf(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  int sign;
  return mpfr_lgamma(result, &sign, x, mode);
}
const UnaryFunction kUnary[] = {
    {"acos", mpfr_acos},     {"acosh", mpfr_acosh},   {"acospi", mpfr_acospi}, {"asin", mpfr_asin},
    {"asinh", mpfr_asinh},   {"asinpi", mpfr_asinpi}, {"atan", mpfr_atan},     {"atanh", mpfr_atanh},
    {"atanpi", mpfr_atanpi}, {"cbrt", mpfr_cbrt},     {"cos", mpfr_cos},       {"cosh", mpfr_cosh},
    {"cospi", mpfr_cospi},   {"erf", mpfr_erf},       {"erfc", mpfr_erfc},     {"exp", mpfr_exp},
    {"exp10", mpfr_exp10},   {"exp2", mpfr_exp2},     {"expm1", mpfr_expm1},   {"log", mpfr_log},
    {"log10", mpfr_log10},   {"log1p", mpfr_log1p},   {"log2", mpfr_log2},     {"lgamma", lgammaOf},
    {"rsqrt", rsqrtOf},      {"sin", mpfr_sin},       {"sinh", mpfr_sinh},     {"sinpi", mpfr_sinpi},
    {"sqrt", mpfr_sqrt},     {"tan", mpfr_tan},       {"tanh", mpfr_tanh},     {"tanpi", mpfr_tanpi},
    {"tgamma", mpfr_gamma},
};

// "powr(x, y) for x < 0 returns NaN", and 0^0, inf^0, 1^inf are NaN: not what mpfr_pow says.
int powrOf(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t mode) {
  const bool zeroOrInfinite = mpfr_zero_p(x) || mpfr_inf_p(x);
  const bool one = mpfr_cmp_ui(x, 1) == 0;
  if (mpfr_nan_p(x) || mpfr_nan_p(y) || mpfr_cmp_ui(x, 0) < 0 || (zeroOrInfinite && mpfr_zero_p(y)) ||
      (one && mpfr_inf_p(y))) {
    mpfr_set_nan(result);
    return 0;
  }
  Number magnitude;
  mpfr_abs(magnitude.value, x, MPFR_RNDN);
  return mpfr_pow(result, magnitude.value, y, mode);
}

using Binary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
struct BinaryFunction {
  std::string_view name;
  Binary function;
};
const BinaryFunction kBinary[] = {
    {"atan2", mpfr_atan2}, {"atan2pi", mpfr_atan2pi}, {"hypot", mpfr_hypot}, {"pow", mpfr_pow}, {"powr", powrOf},
};

/// The exponents of MPFR are far wider than any format's, so nothing here over- or underflows before it should.
double errorOf(const Number &exact, Format format, double result) {
  const Limits limits = limitsOf(format);
  if (mpfr_nan_p(exact.value) || std::isnan(result))
    return mpfr_nan_p(exact.value) && std::isnan(result) ? 0 : kInfinitelyFar;
  if (mpfr_inf_p(exact.value))
    return std::isinf(result) && std::signbit(result) == !!mpfr_signbit(exact.value) ? 0 : kInfinitelyFar;
  if (mpfr_zero_p(exact.value))
    return result == 0 && std::signbit(result) == !!mpfr_signbit(exact.value) ? 0 : kInfinitelyFar;

  // Infinity counts as the next number after the largest; a value beyond it as that number too.
  Number bound(1), right, given(result), distance;
  mpfr_mul_2si(bound.value, bound.value, limits.maxExponent, MPFR_RNDN);
  mpfr_set(right.value, exact.value, MPFR_RNDN);
  if (mpfr_cmpabs(right.value, bound.value) > 0) mpfr_copysign(right.value, bound.value, right.value, MPFR_RNDN);
  if (std::isinf(result)) mpfr_copysign(given.value, bound.value, given.value, MPFR_RNDN);

  long exponent = mpfr_get_exp(exact.value);
  exponent = std::min<long>(std::max<long>(exponent, limits.minExponent), limits.maxExponent);
  mpfr_sub(distance.value, given.value, right.value, MPFR_RNDA);
  mpfr_mul_2si(distance.value, distance.value, limits.digits - exponent, MPFR_RNDN);
  return std::fabs(mpfr_get_d(distance.value, MPFR_RNDA));
}

template <typename Table> auto find(const Table &table, std::string_view name) {
  for (const auto &row : table)
    if (row.name == name) return row.function;
  std::abort();
}

} // namespace

double unaryError(std::string_view function, Format format, double x, double result) {
  Number operand(x), exact;
  find(kUnary, function)(exact.value, operand.value, MPFR_RNDN);
  return errorOf(exact, format, result);
}

double binaryError(std::string_view function, Format format, double x, double y, double result) {
  Number first(x), second(y), exact;
  find(kBinary, function)(exact.value, first.value, second.value, MPFR_RNDN);
  return errorOf(exact, format, result);
}

double powerError(std::string_view function, Format format, double x, int n, double result) {
  Number operand(x), exact;
  if (function == "pown")
    mpfr_pow_si(exact.value, operand.value, n, MPFR_RNDN);
  else
    mpfr_rootn_si(exact.value, operand.value, n, MPFR_RNDN);
  return errorOf(exact, format, result);
}

} // namespace us::test
