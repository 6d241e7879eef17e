// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The math functions that have exactly one right result, against the C library and the rules of the specification; and
// the second results, half_ and native_ functions, against the functions that they go with.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/emulator/builtins/opencl/math/operands.h"

namespace us::test {
namespace {

using ulong = std::uint64_t;
constexpr std::size_t kCount = 100000;

template <typename T> bool same(T a, T b) { return bitsOf(a) == bitsOf(b) || (a != a && b != b); }
template <typename T> double wide(T x) { return static_cast<double>(x); }

/// In half every result of these functions is exact in double, or (fdim, fma) rounded once from there.
template <typename T> struct Expected {
  static T ceil(T x) { return T(std::ceil(wide(x))); }
  static T fabs(T x) { return T(std::fabs(wide(x))); }
  static T floor(T x) { return T(std::floor(wide(x))); }
  static T logb(T x) { return T(std::logb(wide(x))); }
  static T rint(T x) { return T(std::rint(wide(x))); }
  static T round(T x) { return T(std::round(wide(x))); }
  static T trunc(T x) { return T(std::trunc(wide(x))); }
  static T copysign(T x, T y) { return T(std::copysign(wide(x), wide(y))); }
  static T fdim(T x, T y) { return x > y ? T(x - y) : x == x && y == y ? T(0) : T(NAN); }
  // The sign of zero is free when both are zeros: ours takes the first.
  static T fmax(T x, T y) { return x != x ? y : y > x ? y : x; }
  static T fmin(T x, T y) { return x != x ? y : y < x ? y : x; }
  static T fmod(T x, T y) { return T(std::fmod(wide(x), wide(y))); }
  static T remainder(T x, T y) { return T(std::remainder(wide(x), wide(y))); }
  static T maxmag(T x, T y) {
    if (std::fabs(wide(x)) > std::fabs(wide(y))) return x;
    return std::fabs(wide(y)) > std::fabs(wide(x)) ? y : fmax(x, y);
  }
  static T minmag(T x, T y) {
    if (std::fabs(wide(x)) < std::fabs(wide(y))) return x;
    return std::fabs(wide(y)) < std::fabs(wide(x)) ? y : fmin(x, y);
  }
  static T nextafter(T x, T y) {
    if (x != x || y != y) return T(NAN);
    if (x == y) return y;
    if (x == T(0)) return T(std::copysign(wide(fromBits<T>(1)), wide(y)));
    return fromBits<T>(bitsOf(x) + ((x < y) == (x > T(0)) ? 1 : -1));
  }
};

template <typename T> void checkUnary(const char *name, void (*function)(const T *, T *, ulong), T (*expected)(T)) {
  const std::vector<T> x = operands<T>(kCount, 1);
  std::vector<T> result(x.size());
  function(x.data(), result.data(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    ASSERT_TRUE(same(result[i], expected(x[i]))) << name << " of " << wide(x[i]) << " gives " << wide(result[i]);
}

template <typename T> struct Pairs {
  std::vector<T> x, y;
  Pairs() {
    const std::vector<T> edges = edgeOperands<T>(), a = operands<T>(kCount, 2), b = operands<T>(kCount, 3);
    for (T first : edges)
      for (T second : edges) x.push_back(first), y.push_back(second);
    // The longest divisions of doubles: the quotient has as many digits as the format allows.
    if constexpr (sizeof(T) == 8)
      for (int i = 1; i < 1000; ++i) x.push_back(0x1.fffffffffffffp+1023), y.push_back(i * 0x1p-1074);
    std::mt19937 random(4);
    for (std::size_t i = 0; i < kCount; ++i) x.push_back(a[random() % a.size()]), y.push_back(b[random() % b.size()]);
  }
};

template <typename T>
void checkBinary(const char *name, void (*function)(const T *, const T *, T *, ulong), T (*expected)(T, T)) {
  const Pairs<T> pairs;
  std::vector<T> result(pairs.x.size());
  function(pairs.x.data(), pairs.y.data(), result.data(), result.size());
  for (std::size_t i = 0; i < result.size(); ++i)
    ASSERT_TRUE(same(result[i], expected(pairs.x[i], pairs.y[i])))
        << name << " of " << std::hexfloat << wide(pairs.x[i]) << " and " << wide(pairs.y[i]) << " gives "
        << wide(result[i]) << ", not " << wide(expected(pairs.x[i], pairs.y[i]));
}

#define UNARY(F, T)                                                                                                    \
  extern "C" void test_##F##_##T(const T *, T *, ulong);                                                               \
  TEST(MathExact, F##_##T) { checkUnary<T>(#F, test_##F##_##T, Expected<T>::F); }
#define BINARY(F, T)                                                                                                   \
  extern "C" void test_##F##_##T(const T *, const T *, T *, ulong);                                                    \
  TEST(MathExact, F##_##T) { checkBinary<T>(#F, test_##F##_##T, Expected<T>::F); }
#define US_UNARY(...)
#define US_BINARY(...)
#define US_POWER_INT(...)
#define US_EXACT_UNARY(F) UNARY(F, float) UNARY(F, double) UNARY(F, half)
#define US_EXACT_BINARY(F) BINARY(F, float) BINARY(F, double) BINARY(F, half)
#include "tests/emulator/builtins/opencl/math/functions.def"

// ---- functions with int operands or results ------------------------------------------------------------------------
#define DECLARE(T)                                                                                                     \
  extern "C" {                                                                                                         \
  void test_ldexp_##T(const T *, const int *, T *, ulong);                                                             \
  void test_ilogb_##T(const T *, int *, ulong);                                                                        \
  void test_fma_##T(const T *, const T *, const T *, T *, ulong);                                                      \
  void test_mad_##T(const T *, const T *, const T *, T *, ulong);                                                      \
  void test_fract_##T(const T *, T *, T *, ulong);                                                                     \
  void test_modf_##T(const T *, T *, T *, ulong);                                                                      \
  void test_sincos_##T(const T *, T *, T *, ulong);                                                                    \
  void test_sin_##T(const T *, T *, ulong);                                                                            \
  void test_cos_##T(const T *, T *, ulong);                                                                            \
  void test_frexp_##T(const T *, T *, int *, ulong);                                                                   \
  void test_lgamma_##T(const T *, T *, ulong);                                                                         \
  void test_lgamma_r_##T(const T *, T *, int *, ulong);                                                                \
  void test_atan2pi_##T(const T *, const T *, T *, ulong);                                                             \
  void test_remquo_##T(const T *, const T *, T *, int *, ulong);                                                       \
  }
DECLARE(float)
DECLARE(double)
DECLARE(half)

template <typename T> struct Functions;
#define FUNCTIONS(T)                                                                                                   \
  template <> struct Functions<T> {                                                                                    \
    static constexpr auto ldexp = test_ldexp_##T;                                                                      \
    static constexpr auto ilogb = test_ilogb_##T;                                                                      \
    static constexpr auto fma = test_fma_##T;                                                                          \
    static constexpr auto mad = test_mad_##T;                                                                          \
    static constexpr auto fract = test_fract_##T;                                                                      \
    static constexpr auto modf = test_modf_##T;                                                                        \
    static constexpr auto sincos = test_sincos_##T;                                                                    \
    static constexpr auto sin = test_sin_##T;                                                                          \
    static constexpr auto cos = test_cos_##T;                                                                          \
    static constexpr auto frexp = test_frexp_##T;                                                                      \
    static constexpr auto lgamma = test_lgamma_##T;                                                                    \
    static constexpr auto lgamma_r = test_lgamma_r_##T;                                                                \
    static constexpr auto remquo = test_remquo_##T;                                                                    \
  };
FUNCTIONS(float)
FUNCTIONS(double)
FUNCTIONS(half)

// GoogleTest asks for the type's name, which _Float16 has not.
template <typename T> struct Of {
  using Type = T;
};
template <typename Tag> struct MathParts : testing::Test {
  using T = typename Tag::Type;
  using F = Functions<T>;
  std::vector<T> x = operands<T>(kCount, 7);
  std::vector<T> first = std::vector<T>(x.size()), second = first;
  std::vector<int> integer = std::vector<int>(x.size());
};
using Types = testing::Types<Of<float>, Of<double>, Of<half>>;
TYPED_TEST_SUITE(MathParts, Types);

// long double holds what ldexp of a double loses, so the conversion back rounds once.
TYPED_TEST(MathParts, ldexp) {
  using T = typename TypeParam::Type;
  std::mt19937 random(8);
  for (int &n : this->integer) n = static_cast<std::int32_t>(random()) >> (random() % 32);
  TestFixture::F::ldexp(this->x.data(), this->integer.data(), this->first.data(), this->x.size());
  for (std::size_t i = 0; i < this->x.size(); ++i) {
    const int n = std::min(std::max(this->integer[i], -5000), 5000);
    const T expected = static_cast<T>(std::ldexp(static_cast<long double>(wide(this->x[i])), n));
    ASSERT_TRUE(same(this->first[i], expected)) << wide(this->x[i]) << " " << n;
  }
}

TYPED_TEST(MathParts, ilogb) {
  TestFixture::F::ilogb(this->x.data(), this->integer.data(), this->x.size());
  for (std::size_t i = 0; i < this->x.size(); ++i) {
    const double x = wide(this->x[i]);
    // "FP_ILOGB0", "FP_ILOGBNAN" of our OpenCL C headers; infinity gives INT_MAX.
    const int expected = x == 0 ? -0x7fffffff - 1 : std::isfinite(x) ? std::ilogb(x) : 0x7fffffff;
    ASSERT_EQ(this->integer[i], expected) << x;
  }
}

TYPED_TEST(MathParts, frexp) {
  using T = typename TypeParam::Type;
  TestFixture::F::frexp(this->x.data(), this->first.data(), this->integer.data(), this->x.size());
  for (std::size_t i = 0; i < this->x.size(); ++i) {
    int exponent = 0;
    const T expected = static_cast<T>(std::frexp(wide(this->x[i]), &exponent));
    ASSERT_TRUE(same(this->first[i], expected)) << wide(this->x[i]);
    if (std::isfinite(wide(expected))) {
      ASSERT_EQ(this->integer[i], exponent) << wide(this->x[i]);
    }
  }
}

TYPED_TEST(MathParts, modf) {
  using T = typename TypeParam::Type;
  TestFixture::F::modf(this->x.data(), this->first.data(), this->second.data(), this->x.size());
  for (std::size_t i = 0; i < this->x.size(); ++i) {
    double whole;
    const T expected = static_cast<T>(std::modf(wide(this->x[i]), &whole));
    ASSERT_TRUE(same(this->first[i], expected) && same(this->second[i], static_cast<T>(whole))) << wide(this->x[i]);
  }
}

// "fmin(x - floor(x), the largest number below 1)"; zeros and infinities give a zero of their sign.
TYPED_TEST(MathParts, fract) {
  using T = typename TypeParam::Type;
  TestFixture::F::fract(this->x.data(), this->first.data(), this->second.data(), this->x.size());
  const T belowOne = fromBits<T>(bitsOf(T(1)) - 1);
  for (std::size_t i = 0; i < this->x.size(); ++i) {
    const T x = this->x[i], floor = static_cast<T>(std::floor(wide(x)));
    T expected = static_cast<T>(x - floor);
    if (expected >= T(1)) expected = belowOne;
    if (x == T(0) || std::isinf(wide(x))) expected = static_cast<T>(std::copysign(0.0, wide(x)));
    ASSERT_TRUE(same(this->first[i], expected) && same(this->second[i], floor)) << wide(x);
  }
}

TYPED_TEST(MathParts, sincosIsSinAndCos) {
  using T = typename TypeParam::Type;
  std::vector<T> sine(this->x.size()), cosine(this->x.size());
  TestFixture::F::sincos(this->x.data(), this->first.data(), this->second.data(), this->x.size());
  TestFixture::F::sin(this->x.data(), sine.data(), this->x.size());
  TestFixture::F::cos(this->x.data(), cosine.data(), this->x.size());
  for (std::size_t i = 0; i < this->x.size(); ++i)
    ASSERT_TRUE(same(this->first[i], sine[i]) && same(this->second[i], cosine[i])) << wide(this->x[i]);
}

TYPED_TEST(MathParts, lgammaRGivesTheSignOfGamma) {
  using T = typename TypeParam::Type;
  std::vector<T> value(this->x.size());
  TestFixture::F::lgamma(this->x.data(), value.data(), this->x.size());
  TestFixture::F::lgamma_r(this->x.data(), this->first.data(), this->integer.data(), this->x.size());
  for (std::size_t i = 0; i < this->x.size(); ++i) {
    const double x = wide(this->x[i]);
    ASSERT_TRUE(same(this->first[i], value[i])) << x;
    if (x < 0 && (std::isinf(x) || x == std::floor(x))) continue; // a pole has no sign
    if (x != x) continue;
    const int expected = x > 0 || (x == 0 && !std::signbit(x)) || std::fmod(std::floor(x), 2) == 0 ? 1 : -1;
    ASSERT_EQ(this->integer[i], x == 0 ? (std::signbit(x) ? -1 : 1) : expected) << x;
  }
}

// lgamma has no limit in the specification; ours stays within 1e-6 (f32) of its magnitude or of 1.
TYPED_TEST(MathParts, lgamma) {
  using T = typename TypeParam::Type;
  TestFixture::F::lgamma(this->x.data(), this->first.data(), this->x.size());
  const double tolerance = sizeof(T) == 8 ? 1e-14 : sizeof(T) == 4 ? 1e-6 : 1e-3;
  for (std::size_t i = 0; i < this->x.size(); ++i) {
    const double expected = std::lgamma(wide(this->x[i])), found = wide(this->first[i]);
    if (same(this->first[i], static_cast<T>(expected))) continue;
    ASSERT_NEAR(found, expected, tolerance * std::max(1.0, std::fabs(expected))) << wide(this->x[i]);
  }
}

TYPED_TEST(MathParts, remquo) {
  using T = typename TypeParam::Type;
  const Pairs<T> pairs;
  std::vector<T> rest(pairs.x.size());
  std::vector<int> quotient(pairs.x.size());
  TestFixture::F::remquo(pairs.x.data(), pairs.y.data(), rest.data(), quotient.data(), rest.size());
  for (std::size_t i = 0; i < rest.size(); ++i) {
    int expected = 0;
    const double x = wide(pairs.x[i]), y = wide(pairs.y[i]);
    ASSERT_TRUE(same(rest[i], static_cast<T>(std::remquo(x, y, &expected)))) << std::hexfloat << x << " " << y;
    if (std::isnan(wide(rest[i]))) continue;
    // "at least seven low-order bits of the magnitude of the quotient", with its sign.
    ASSERT_EQ(std::abs(quotient[i]) & 7, std::abs(expected) & 7) << std::hexfloat << x << " " << y;
    if (quotient[i] != 0) {
      ASSERT_EQ(quotient[i] < 0, std::signbit(x) != std::signbit(y));
    }
    const double exact = (x - wide(rest[i])) / y; // exact when it is small
    if (std::fabs(exact) < 1e6 && std::isfinite(y)) {
      ASSERT_EQ(std::abs(quotient[i]), static_cast<int>(std::fabs(std::rint(exact))) & 127);
    }
  }
}

// f32 and f64: the C library's fma is exact. half: products and sums of halves are exact in 80 bits.
TYPED_TEST(MathParts, fma) {
  using T = typename TypeParam::Type;
  const Pairs<T> pairs;
  std::vector<T> z(pairs.x.rbegin(), pairs.x.rend()), result(z.size()), mad(z.size());
  TestFixture::F::fma(pairs.x.data(), pairs.y.data(), z.data(), result.data(), z.size());
  TestFixture::F::mad(pairs.x.data(), pairs.y.data(), z.data(), mad.data(), z.size());
  for (std::size_t i = 0; i < z.size(); ++i) {
    T expected;
    if constexpr (sizeof(T) == 2)
      expected = static_cast<T>(static_cast<long double>(pairs.x[i]) * static_cast<long double>(pairs.y[i]) +
                                static_cast<long double>(z[i]));
    else
      expected = std::fma(pairs.x[i], pairs.y[i], z[i]);
    ASSERT_TRUE(same(result[i], expected)) << std::hexfloat << wide(pairs.x[i]) << " " << wide(pairs.y[i]) << " "
                                           << wide(z[i]) << " gives " << wide(result[i]);
    if constexpr (sizeof(T) > 2) {
      ASSERT_TRUE(same(mad[i], expected));
    }
  }
}

extern "C" void test_nan(const std::uint32_t *, float *, const ulong *, double *, const std::uint16_t *, half *);
TEST(MathExact, nan) {
  const std::uint32_t a = 0x123;
  const ulong b = 0x12345;
  const std::uint16_t c = 0x11;
  float f;
  double d;
  half h;
  test_nan(&a, &f, &b, &d, &c, &h);
  EXPECT_EQ(bitsOf(f), 0x7fc00123u);
  EXPECT_EQ(bitsOf(d), 0x7ff8000000012345u);
  EXPECT_EQ(bitsOf(h), 0x7e11u);
}

// ---- half_ and native_ ---------------------------------------------------------------------------------------------
#define US_F32_UNARY(F) extern "C" void test_##F##_float(const float *, float *, ulong);
#define US_F32_BINARY(F) extern "C" void test_##F##_float(const float *, const float *, float *, ulong);
#include "tests/emulator/builtins/opencl/math/f32_functions.def"

using Reference = double (*)(double);
using BinaryReference = double (*)(double, double);
double exp10Of(double x) { return std::pow(10.0, x); }
double recipOf(double x) { return 1 / x; }
double rsqrtOf(double x) { return 1 / std::sqrt(x); }
double divideOf(double x, double y) { return x / y; }

/// Relative, for operands within ±limit (positive ones only if asked).
template <typename Function>
void checkRelative(const char *name, Function function, Reference reference, double limit, double tolerance) {
  std::vector<float> x;
  for (float value : operands<float>(kCount, 9))
    if (std::fabs(value) <= limit) x.push_back(value);
  std::vector<float> result(x.size());
  function(x.data(), result.data(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double expected = reference(x[i]);
    if (same(result[i], static_cast<float>(expected))) continue;
    ASSERT_NEAR(result[i], expected, std::max(tolerance * std::fabs(expected), 1e-37)) << name << " of " << x[i];
  }
}

TEST(MathExact, halfFunctions) {
  // "half_cos: x must be in the range -2^16 to +2^16"; 8192 ulp is 2^-10 relative.
  const double tolerance = 1e-3;
  checkRelative("half_cos", test_half_cos_float, std::cos, 65536, tolerance);
  checkRelative("half_sin", test_half_sin_float, std::sin, 65536, tolerance);
  checkRelative("half_tan", test_half_tan_float, std::tan, 65536, tolerance);
  checkRelative("half_exp", test_half_exp_float, std::exp, 88, tolerance);
  checkRelative("half_exp2", test_half_exp2_float, std::exp2, 127, tolerance);
  checkRelative("half_exp10", test_half_exp10_float, exp10Of, 38, tolerance);
  checkRelative("half_log", test_half_log_float, std::log, 1e38, tolerance);
  checkRelative("half_log2", test_half_log2_float, std::log2, 1e38, tolerance);
  checkRelative("half_log10", test_half_log10_float, std::log10, 1e38, tolerance);
  checkRelative("half_recip", test_half_recip_float, recipOf, 1e38, tolerance);
  checkRelative("half_rsqrt", test_half_rsqrt_float, rsqrtOf, 1e38, tolerance);
  checkRelative("half_sqrt", test_half_sqrt_float, std::sqrt, 1e38, tolerance);
}

TEST(MathExact, nativeFunctions) {
  const double tolerance = 1e-5;
  // Near multiples of pi the error is absolute.
  for (auto [function, reference] :
       {std::pair<void (*)(const float *, float *, ulong), Reference>{test_native_sin_float, std::sin},
        {test_native_cos_float, std::cos}}) {
    const std::vector<float> x = operands<float>(kCount, 10);
    std::vector<float> result(x.size());
    function(x.data(), result.data(), x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!std::isfinite(x[i])) continue;
      ASSERT_LE(std::fabs(result[i]), 1) << x[i];
      if (std::fabs(x[i]) < 1000) {
        ASSERT_NEAR(result[i], reference(x[i]), 1e-6) << x[i];
      }
    }
  }
  checkRelative("native_sin", test_native_sin_float, std::sin, 3, tolerance);
  checkRelative("native_tan", test_native_tan_float, std::tan, 1.5, tolerance);
  checkRelative("native_exp", test_native_exp_float, std::exp, 88, tolerance);
  checkRelative("native_exp2", test_native_exp2_float, std::exp2, 127, tolerance);
  checkRelative("native_exp10", test_native_exp10_float, exp10Of, 38, tolerance);
  checkRelative("native_log", test_native_log_float, std::log, 1e38, tolerance);
  checkRelative("native_log2", test_native_log2_float, std::log2, 1e38, tolerance);
  checkRelative("native_log10", test_native_log10_float, std::log10, 1e38, tolerance);
  checkRelative("native_recip", test_native_recip_float, recipOf, 1e38, tolerance);
  checkRelative("native_rsqrt", test_native_rsqrt_float, rsqrtOf, 1e38, tolerance);
  checkRelative("native_sqrt", test_native_sqrt_float, std::sqrt, 1e38, tolerance);
}

TEST(MathExact, halfAndNativeFunctionsOfTwo) {
  std::vector<float> x, y;
  std::mt19937 random(11);
  std::uniform_real_distribution<float> base(0.01f, 20), exponent(-20, 20);
  for (std::size_t i = 0; i < kCount; ++i) x.push_back(base(random)), y.push_back(exponent(random));
  auto check = [&](auto function, BinaryReference reference, double tolerance) {
    std::vector<float> result(x.size());
    function(x.data(), y.data(), result.data(), x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double expected = reference(x[i], y[i]);
      ASSERT_NEAR(result[i], expected, tolerance * std::fabs(expected)) << x[i] << " " << y[i];
    }
  };
  check(test_half_divide_float, divideOf, 1e-3);
  check(test_native_divide_float, divideOf, 1e-6);
  check(test_half_powr_float, std::pow, 1e-3);
  check(test_native_powr_float, std::pow, 2e-5);
}

/// "atan2pi ( ±∞, -∞ ) returns ±0.75. atan2pi ( ±∞, +∞ ) returns ±0.25. atan2pi ( ±0, -0 ) returns ±1. atan2pi ( y, ±0
/// ) returns -0.5 for y < 0." and what else it says of angles (OpenCL C, "Additional Requirements Beyond C99 TC2").
template <typename T> void checkAnglesByPi(void (*function)(const T *, const T *, T *, ulong)) {
  const T inf = T(INFINITY), two = T(2), zero = T(0);
  const struct {
    T y, x, angle;
  } angles[] = {{inf, inf, T(0.25)}, {inf, -inf, T(0.75)}, {two, inf, zero},    {two, -inf, T(1)},
                {inf, two, T(0.5)},  {inf, -two, T(0.5)},  {two, zero, T(0.5)}, {two, -zero, T(0.5)},
                {zero, -zero, T(1)}, {zero, zero, zero},   {zero, -two, T(1)},  {zero, two, zero},
                {two, two, T(0.25)}, {two, -two, T(0.75)}};
  for (const auto &[y, x, angle] : angles)
    for (const bool isNegative : {false, true}) {
      const T from = isNegative ? T(-y) : y, expected = isNegative ? T(-angle) : angle;
      T result;
      function(&from, &x, &result, 1);
      EXPECT_TRUE(same(result, expected)) << wide(from) << ", " << wide(x) << " gives " << wide(result);
    }
}

TEST(MathExact, anglesByPi) {
  checkAnglesByPi(test_atan2pi_float);
  checkAnglesByPi(test_atan2pi_double);
  checkAnglesByPi(test_atan2pi_half);
}

} // namespace
} // namespace us::test
