// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common and geometric functions against long double, with the errors that the specification's table allows.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/emulator/builtins/support/values.h"

namespace us::test {
namespace {

using Real = long double;
constexpr std::size_t kCount = 4800;

template <typename T> struct Format;
template <> struct Format<half> {
  static constexpr int digits = 11, smallest = -24, largest = 15;
};
template <> struct Format<float> {
  static constexpr int digits = 24, smallest = -149, largest = 127;
};
template <> struct Format<double> {
  static constexpr int digits = 53, smallest = -1074, largest = 1023;
};

/// The distance between neighbours at x, as in the specification's definition of ulp.
template <typename T> Real ulp(Real x) {
  if (x == 0) return std::ldexp(Real(1), Format<T>::smallest);
  return std::ldexp(Real(1), std::max(std::ilogb(x) - Format<T>::digits + 1, Format<T>::smallest));
}
template <typename T> Real greatest() { return Real(Limits<T>::max()); }

template <typename T> void expectNear(T got, Real want, Real error, const char *what) {
  if (std::isnan(want)) {
    EXPECT_TRUE(std::isnan(double(got))) << what;
    return;
  }
  if (std::abs(want) > greatest<T>()) { // a result beside the largest value may overflow or not
    EXPECT_TRUE(std::isinf(double(got)) || Real(got) == std::copysign(greatest<T>(), want))
        << what << " " << want << " " << Real(got);
    return;
  }
  EXPECT_LE(std::abs(Real(got) - want), error) << what << ": got " << Real(got) << ", want " << want;
}

/// Values of every magnitude between 2^low and 2^high.
template <typename T> std::vector<T> reals(std::size_t n, unsigned seed, int low, int high) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> fraction(1, 2);
  std::vector<T> values;
  while (values.size() < n)
    values.push_back(
        T((random() & 1 ? -1 : 1) * std::ldexp(fraction(random), low + int(random() % uint(high - low + 1)))));
  values[0] = T(0);
  values[1] = T(-0.0);
  return values;
}

#define DECLARE(T)                                                                                                     \
  extern "C" void test_min_##T(const T *, const T *, T *, ulong), test_max_##T(const T *, const T *, T *, ulong),      \
      test_step_##T(const T *, const T *, T *, ulong), test_clamp_##T(const T *, const T *, const T *, T *, ulong),    \
      test_mix_##T(const T *, const T *, const T *, T *, ulong),                                                       \
      test_smoothstep_##T(const T *, const T *, const T *, T *, ulong), test_degrees_##T(const T *, T *, ulong),       \
      test_radians_##T(const T *, T *, ulong), test_sign_##T(const T *, T *, ulong);                                   \
  extern "C" ulong widths_min_##T(const T *, const T *, ulong), widths_max_##T(const T *, const T *, ulong),           \
      widths_step_##T(const T *, const T *, ulong), widths_clamp_##T(const T *, const T *, const T *, ulong),          \
      widths_mix_##T(const T *, const T *, const T *, ulong),                                                          \
      widths_smoothstep_##T(const T *, const T *, const T *, ulong), widths_degrees_##T(const T *, ulong),             \
      widths_radians_##T(const T *, ulong), widths_sign_##T(const T *, ulong), scalar_forms_##T(const T *, ulong);
DECLARE(half)
DECLARE(float)
DECLARE(double)

#define COMMON(T)                                                                                                      \
  TEST(Common, exact_##T) {                                                                                            \
    auto a = reals<T>(kCount, 1, -10, 10), b = reals<T>(kCount, 2, -10, 10), c = reals<T>(kCount, 3, -10, 10);         \
    for (std::size_t i = 0; i < kCount; ++i)                                                                           \
      if (b[i] > c[i]) std::swap(b[i], c[i]);                                                                          \
    a[2] = Limits<T>::quiet_NaN();                                                                                     \
    std::vector<T> low(kCount), high(kCount), within(kCount), stepped(kCount), sign(kCount);                           \
    test_min_##T(a.data(), b.data(), low.data(), kCount);                                                              \
    test_max_##T(a.data(), b.data(), high.data(), kCount);                                                             \
    test_clamp_##T(a.data(), b.data(), c.data(), within.data(), kCount);                                               \
    test_step_##T(b.data(), a.data(), stepped.data(), kCount);                                                         \
    test_sign_##T(a.data(), sign.data(), kCount);                                                                      \
    EXPECT_TRUE(sign[2] == 0 && sign[0] == 0 && std::signbit(double(sign[1])) && !std::signbit(double(sign[0])));      \
    for (std::size_t i = 3; i < kCount; ++i) {                                                                         \
      EXPECT_EQ(Real(low[i]), std::min(Real(a[i]), Real(b[i])));                                                       \
      EXPECT_EQ(Real(high[i]), std::max(Real(a[i]), Real(b[i])));                                                      \
      EXPECT_EQ(Real(within[i]), std::clamp(Real(a[i]), Real(b[i]), Real(c[i])));                                      \
      EXPECT_EQ(Real(stepped[i]), Real(a[i]) < Real(b[i]) ? 0 : 1);                                                    \
      EXPECT_EQ(Real(sign[i]), a[i] > 0 ? 1 : -1);                                                                     \
    }                                                                                                                  \
    EXPECT_EQ(widths_min_##T(a.data(), b.data(), kCount) + widths_max_##T(a.data(), b.data(), kCount) +                \
                  widths_clamp_##T(a.data(), b.data(), c.data(), kCount) +                                             \
                  widths_step_##T(a.data(), b.data(), kCount) + widths_sign_##T(a.data(), kCount),                     \
              0u);                                                                                                     \
  }                                                                                                                    \
  TEST(Common, near_##T) {                                                                                             \
    auto a = reals<T>(kCount, 1, -8, 3), b = reals<T>(kCount, 2, -8, 3), c = reals<T>(kCount, 3, -8, -1);              \
    std::vector<T> degrees(kCount), radians(kCount), mixed(kCount), smooth(kCount), above(kCount);                     \
    for (std::size_t i = 0; i < kCount; ++i) above[i] = T(b[i] + T(1));                                                \
    test_degrees_##T(a.data(), degrees.data(), kCount);                                                                \
    test_radians_##T(a.data(), radians.data(), kCount);                                                                \
    test_mix_##T(a.data(), b.data(), c.data(), mixed.data(), kCount);                                                  \
    test_smoothstep_##T(b.data(), above.data(), a.data(), smooth.data(), kCount);                                      \
    const Real pi = std::acos(Real(-1)), epsilon = std::ldexp(Real(1), 1 - Format<T>::digits);                         \
    for (std::size_t i = 0; i < kCount; ++i) {                                                                         \
      Real d = Real(a[i]) * 180 / pi, r = Real(a[i]) * pi / 180;                                                       \
      expectNear(degrees[i], d, 2 * ulp<T>(d), "degrees");                                                             \
      expectNear(radians[i], r, 2 * ulp<T>(r), "radians");                                                             \
      Real m = Real(a[i]) + (Real(b[i]) - Real(a[i])) * Real(c[i]);                                                    \
      expectNear(mixed[i], m, 3 * epsilon * (std::abs(Real(a[i])) + std::abs(Real(b[i]))), "mix");                     \
      Real t = std::clamp((Real(a[i]) - Real(b[i])) / (Real(above[i]) - Real(b[i])), Real(0), Real(1));                \
      expectNear(smooth[i], t *t * (3 - 2 * t), 10 * epsilon, "smoothstep");                                           \
    }                                                                                                                  \
    EXPECT_EQ(widths_degrees_##T(a.data(), kCount) + widths_radians_##T(a.data(), kCount) +                            \
                  widths_mix_##T(a.data(), b.data(), c.data(), kCount) +                                               \
                  widths_smoothstep_##T(b.data(), above.data(), a.data(), kCount) +                                    \
                  scalar_forms_##T(a.data(), kCount),                                                                  \
              0u);                                                                                                     \
  }
COMMON(half)
COMMON(float)
COMMON(double)

template <typename T> using Geometric = void (*)(const T *, const T *, T *);

// Components over the whole range: length and its kin must neither overflow nor underflow on the way.
template <typename T> void checkGeometric(int n, Geometric<T> run) {
  for (int low : {Format<T>::smallest, Format<T>::smallest / 2, -5, Format<T>::largest - 8}) {
    const int high = std::min(low + 10, Format<T>::largest - 1);
    auto a = reals<T>(kCount, 1, low, high), b = reals<T>(kCount, 2, low, high);
    for (std::size_t i = 8; i + n <= kCount; i += n) {
      T out[8] = {};
      run(&a[i], &b[i], out);
      Real dot = 0, square = 0, apart = 0, products = 0;
      for (int k = 0; k < n; ++k) {
        Real x = a[i + k], y = b[i + k];
        dot += x * y;
        products = std::max(products, std::abs(x * y));
        square += x * x;
        apart += (x - y) * (x - y);
      }
      // "max * (2n - 1) * HLF_EPSILON" and its like: n products and n - 1 sums, each rounded.
      if (products * n < greatest<T>())
        expectNear(out[0], dot, products * (2 * n - 1) * ulp<T>(1) + n * ulp<T>(0), "dot");
      expectNear(out[1], std::sqrt(square), (2.75L + 0.5L * n) * ulp<T>(std::sqrt(square)), "length");
      expectNear(out[2], std::sqrt(apart), (2.75L + 0.5L * n) * ulp<T>(std::sqrt(apart)), "distance");
      for (int k = 0; k < n; ++k) {
        Real want = Real(a[i + k]) / std::sqrt(square);
        expectNear(out[3 + k], want, (2 + n) * ulp<T>(want), "normalize");
      }
    }
  }
  const T infinity = Limits<T>::infinity();
  T zeros[4] = {T(-0.0)}, mixed[4] = {-infinity, T(1), infinity, T(2)}, broken[4] = {Limits<T>::quiet_NaN(), infinity};
  T out[8];
  run(zeros, zeros, out);
  EXPECT_TRUE(out[3] == 0 && std::signbit(double(out[3])) && out[1] == 0);
  run(mixed, zeros, out);
  EXPECT_TRUE(std::isinf(double(out[1])));
  if constexpr (sizeof(T) == 8) { // a component that is tiny beside another, and normal when it is divided
    T uneven[4] = {std::ldexp(T(-1.625), 581), std::ldexp(T(1.015625), -439)};
    if (n > 1) {
      run(uneven, zeros, out);
      const Real want = -Real(uneven[1]) / Real(uneven[0]);
      expectNear(out[4], want, (2 + n) * ulp<T>(want), "normalize of uneven components");
      run(mixed, zeros, out);
    }
  }
  if constexpr (sizeof(T) == 4) { // likewise, at both ends of the range
    const T pairs[][2] = {{std::ldexp(T(-1.625), 61), std::ldexp(T(1.015625), -60)},
                          {std::ldexp(T(1.625), 126), std::ldexp(T(-1.0156251), 1)},
                          {std::ldexp(T(1.75), -42), std::ldexp(T(1), -149)},
                          {std::ldexp(T(1), -149), std::ldexp(T(-3), -149)},
                          {std::ldexp(T(1.9999), 59), std::ldexp(T(1.9999), -40)}};
    for (const T(&pair)[2] : pairs) {
      T uneven[4] = {pair[0], n > 1 ? pair[1] : T(0)};
      run(uneven, zeros, out);
      const Real length = std::hypot(Real(uneven[0]), Real(uneven[1]));
      for (int k = 0; k < n; ++k)
        expectNear(out[3 + k], uneven[k] / length, (2 + n) * ulp<T>(uneven[k] / length),
                   "normalize of uneven components");
    }
    run(mixed, zeros, out);
  }
  const Real share = n > 2 ? std::sqrt(Real(0.5)) : 1;
  expectNear(out[3], -share, 2 * ulp<T>(1), "normalize of an infinity");
  if (n > 1) EXPECT_EQ(Real(out[4]), 0);
  run(broken, zeros, out);
  for (int k = 0; k < n; ++k) EXPECT_TRUE(std::isnan(double(out[3 + k])));
}

#define GEOMETRIC(T)                                                                                                   \
  extern "C" void geometric_##T##_1(const T *, const T *, T *), geometric_##T##_2(const T *, const T *, T *),          \
      geometric_##T##_3(const T *, const T *, T *), geometric_##T##_4(const T *, const T *, T *),                      \
      cross_##T(const T *, const T *, T *);                                                                            \
  TEST(Geometric, all_##T) {                                                                                           \
    checkGeometric<T>(1, geometric_##T##_1);                                                                           \
    checkGeometric<T>(2, geometric_##T##_2);                                                                           \
    checkGeometric<T>(3, geometric_##T##_3);                                                                           \
    checkGeometric<T>(4, geometric_##T##_4);                                                                           \
  }                                                                                                                    \
  TEST(Geometric, cross_##T) {                                                                                         \
    auto a = reals<T>(kCount, 1, -4, 4), b = reals<T>(kCount, 2, -4, 4);                                               \
    for (std::size_t i = 0; i + 4 <= kCount; i += 4) {                                                                 \
      T out[7];                                                                                                        \
      cross_##T(&a[i], &b[i], out);                                                                                    \
      for (int k = 0; k < 3; ++k) {                                                                                    \
        Real p = Real(a[i + (k + 1) % 3]) * Real(b[i + (k + 2) % 3]),                                                  \
             q = Real(a[i + (k + 2) % 3]) * Real(b[i + (k + 1) % 3]);                                                  \
        expectNear(out[k], p - q, 2 * ulp<T>(1) * std::max(std::abs(p), std::abs(q)), "cross");                        \
        EXPECT_EQ(Real(out[k]), Real(out[3 + k]));                                                                     \
      }                                                                                                                \
      EXPECT_EQ(Real(out[6]), 0);                                                                                      \
    }                                                                                                                  \
  }
GEOMETRIC(half)
GEOMETRIC(float)
GEOMETRIC(double)

extern "C" void fast_1(const float *, const float *, float *), fast_2(const float *, const float *, float *),
    fast_3(const float *, const float *, float *), fast_4(const float *, const float *, float *);
TEST(Geometric, fast) {
  const Geometric<float> functions[] = {fast_1, fast_2, fast_3, fast_4};
  auto a = reals<float>(kCount, 1, -20, 20), b = reals<float>(kCount, 2, -20, 20);
  for (int n = 1; n <= 4; ++n)
    for (std::size_t i = 0; i + 4 <= kCount; i += 4) {
      float out[8] = {};
      functions[n - 1](&a[i], &b[i], out);
      Real square = 0, apart = 0;
      for (int k = 0; k < n; ++k) {
        square += Real(a[i + k]) * a[i + k];
        apart += (Real(a[i + k]) - b[i + k]) * (Real(a[i + k]) - b[i + k]);
      }
      expectNear(out[1], std::sqrt(square), 8192 * ulp<float>(std::sqrt(square)), "fast_length");
      expectNear(out[2], std::sqrt(apart), 8192 * ulp<float>(std::sqrt(apart)), "fast_distance");
      for (int k = 0; k < n && square > 0; ++k)
        expectNear(out[3 + k], a[i + k] / std::sqrt(square), 8192 * ulp<float>(a[i + k] / std::sqrt(square)),
                   "fast_normalize");
    }
}

} // namespace
} // namespace us::test
