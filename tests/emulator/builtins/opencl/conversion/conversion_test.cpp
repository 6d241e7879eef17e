// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every conversion to US_TO (the build makes one program for each destination). The expected values come from the
// host's rounding modes and long double, which holds every value of every type; half from a table of all its values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cstring>

#include "tests/emulator/builtins/support/values.h"

namespace us::test {
namespace {

enum class Mode { None, Nearest, Zero, Up, Down };
constexpr std::size_t kCount = 1 << 16;

template <typename T> constexpr bool kIsFloat = std::is_floating_point_v<T> || std::is_same_v<T, half>;

/// Rounds to an integral value.
[[maybe_unused]] long double toIntegral(long double x, Mode mode) {
  switch (mode) {
  case Mode::Nearest:
    return std::nearbyint(x); // the mode of this thread: to nearest, ties to even
  case Mode::Up:
    return std::ceil(x);
  case Mode::Down:
    return std::floor(x);
  default:
    return std::trunc(x);
  }
}

/// All finite half values in ascending order, and beyond the ends the infinities where they would be.
struct HalfTable {
  std::vector<std::pair<long double, half>> rows;
  HalfTable() {
    for (uint bits = 0x7c00; bits > 0; --bits) add(ushort(0x8000 | bits));
    for (uint bits = 0; bits <= 0x7c00; ++bits) add(ushort(bits));
  }
  void add(ushort bits) {
    const half value = std::bit_cast<half>(bits);
    const int exponent = bits >> 10 & 31;
    long double magnitude = exponent == 0 ? std::ldexp((long double)(bits & 1023), -24)
                                          : std::ldexp((long double)(1024 + (bits & 1023)), exponent - 25);
    rows.push_back({bits & 0x8000 ? -magnitude : magnitude, value});
  }
};

[[maybe_unused]] half toHalf(long double x, Mode mode) {
  static const HalfTable table;
  if (std::isnan(x)) return std::bit_cast<half>(ushort(0x7e00));
  if (x == 0) return std::signbit(x) ? half(-0.0f) : half(0.0f);
  if (std::isinf(x)) return x > 0 ? table.rows.back().second : table.rows.front().second;
  if (mode == Mode::Zero) mode = x > 0 ? Mode::Down : Mode::Up;
  auto above =
      std::lower_bound(table.rows.begin(), table.rows.end(), x, [](auto &row, long double v) { return row.first < v; });
  if (above == table.rows.end()) return mode == Mode::Down ? (above - 2)->second : (above - 1)->second;
  if (above->first == x && std::abs(x) < 65536) return above->second;
  if (above == table.rows.begin()) return mode == Mode::Up ? (above + 1)->second : above->second;
  auto below = above - 1;
  // Between two values a negative zero stands below a positive one; the table has one zero.
  half low = below->second, high = above->second;
  if (above->first == 0) high = half(-0.0f);
  if (mode == Mode::Up) return high;
  if (mode == Mode::Down) return low;
  const long double toLow = x - below->first, toHigh = above->first - x;
  if (toLow != toHigh) return toLow < toHigh ? low : high;
  return std::bit_cast<ushort>(low) & 1 ? high : low;
}

template <typename To> To inMode(long double value, Mode mode) {
  const int host = mode == Mode::Zero   ? FE_TOWARDZERO
                   : mode == Mode::Up   ? FE_UPWARD
                   : mode == Mode::Down ? FE_DOWNWARD
                                        : FE_TONEAREST;
  volatile long double operand = value;
  std::fesetround(host);
  volatile To result = static_cast<To>(operand);
  std::fesetround(FE_TONEAREST);
  return result;
}

/// The expected value, or nothing where the specification leaves it to us: out of range without _sat.
template <typename To, typename From> bool expected(From from, Mode mode, bool saturate, To &result) {
  const auto exact = static_cast<long double>(from);
  if constexpr (std::is_same_v<To, half>) {
    result = toHalf(exact, mode == Mode::None ? Mode::Nearest : mode);
  } else if constexpr (kIsFloat<To>) {
    result = inMode<To>(exact, mode);
  } else {
    if constexpr (!kIsFloat<From>)
      if (!saturate) return result = static_cast<To>(from), true;
    if (std::isnan(exact)) return result = 0, saturate;
    const long double integral = toIntegral(exact, mode);
    const long double low = std::numeric_limits<To>::min(), high = std::numeric_limits<To>::max();
    if (integral < low || integral > high) {
      result = integral < low ? std::numeric_limits<To>::min() : std::numeric_limits<To>::max();
      return saturate;
    }
    result = static_cast<To>(integral);
  }
  return true;
}

template <typename T> T nextTo(T value, int steps) {
  using Bits = std::conditional_t<sizeof(T) == 2, ushort, std::conditional_t<sizeof(T) == 4, uint, ulong>>;
  return std::bit_cast<T>(static_cast<Bits>(std::bit_cast<Bits>(value) + steps));
}

/// 8 and 16 bits: every value. Otherwise the neighbourhoods of powers of two, of halves and of the limits of half, then
/// random ones.
template <typename T> std::vector<T> sources() {
  std::vector<T> values;
  if constexpr (sizeof(T) <= 2) {
    for (uint i = 0; i < kCount; ++i) {
      if constexpr (sizeof(T) == 1)
        values.push_back(std::bit_cast<T>(uchar(i)));
      else
        values.push_back(std::bit_cast<T>(ushort(i)));
    }
  } else if constexpr (!kIsFloat<T>) {
    for (int i = 0; i < int(8 * sizeof(T)); ++i)
      for (int j = -1; j <= i; ++j)
        for (int d = -2; d <= 2; ++d) {
          ulong value = (ulong(1) << i) + (j < 0 ? 0 : ulong(1) << j) + d;
          values.push_back(T(value));
          values.push_back(T(-value));
        }
    auto more = integers<T>(kCount, 7);
    values.insert(values.end(), more.begin(), more.end());
  } else {
    for (int exponent = -30; exponent <= 70; ++exponent)
      for (T fraction :
           {T(1), T(1.5), T(1.25), T(1.75), T(1 + 1.0 / 1024), T(1 + 1.0 / 2048), T(2 - 1.0 / 2048), T(2 - 1.0 / 1024)})
        for (int steps = -2; steps <= 2; ++steps)
          for (T sign : {T(1), T(-1)}) values.push_back(nextTo<T>(sign * std::ldexp(fraction, exponent), steps));
    for (T value :
         {T(0), std::numeric_limits<T>::infinity(), std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::max(),
          std::numeric_limits<T>::min(), std::numeric_limits<T>::denorm_min(), T(65504), T(65519.996), T(65520),
          T(std::numeric_limits<float>::max()), T(std::numeric_limits<float>::denorm_min())})
      for (T sign : {T(1), T(-1)}) values.push_back(sign * value);
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> fraction(-2, 2);
    while (values.size() < kCount) values.push_back(T(std::ldexp(fraction(random), int(random() % 90) - 26)));
    while (values.size() < kCount + 1000)
      values.push_back(std::bit_cast<T>(std::conditional_t < sizeof(T) == 4, uint, ulong > (random())));
  }
  return values;
}

template <typename T> bool same(T a, T b) {
  if (a != a && b != b) return true;
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <typename To, typename From>
void check(const char *name, void (*run)(const From *, To *, ulong), ulong (*widths)(const From *, ulong), Mode mode,
           bool saturate) {
  static const std::vector<From> from = sources<From>();
  std::vector<To> got(from.size());
  run(from.data(), got.data(), from.size());
  int failures = 0;
  for (std::size_t i = 0; i < from.size() && failures < 3; ++i) {
    To want;
    if (!expected<To, From>(from[i], mode, saturate, want) || same(got[i], want)) continue;
    ADD_FAILURE() << name << " of " << static_cast<long double>(from[i]) << ": got " << static_cast<long double>(got[i])
                  << ", want " << static_cast<long double>(want);
    ++failures;
  }
  EXPECT_EQ(widths(from.data(), from.size()), 0u) << name;
}

#define PASTE_(A, B, C) A##B##C
#define PASTE(A, B, C) PASTE_(A, B, C)
#define TEST_NAME(KIND, SUFFIX, FROM) PASTE(PASTE(KIND, _convert_, US_TO), SUFFIX, PASTE(_, FROM, ))
#define CONVERT(SUFFIX, FROM, MODE, SATURATE)                                                                          \
  extern "C" void TEST_NAME(test, SUFFIX, FROM)(const FROM *, US_TO *, ulong);                                         \
  extern "C" ulong TEST_NAME(widths, SUFFIX, FROM)(const FROM *, ulong);                                               \
  TEST(Conversion, TEST_NAME(from, SUFFIX, FROM)) {                                                                    \
    check<US_TO, FROM>("convert" #SUFFIX " from " #FROM, TEST_NAME(test, SUFFIX, FROM),                                \
                       TEST_NAME(widths, SUFFIX, FROM), MODE, SATURATE);                                               \
  }
#define MODES(FROM, SAT, SATURATE)                                                                                     \
  CONVERT(SAT, FROM, Mode::None, SATURATE)                                                                             \
  CONVERT(SAT##_rte, FROM, Mode::Nearest, SATURATE)                                                                    \
  CONVERT(SAT##_rtz, FROM, Mode::Zero, SATURATE)                                                                       \
  CONVERT(SAT##_rtp, FROM, Mode::Up, SATURATE)                                                                         \
  CONVERT(SAT##_rtn, FROM, Mode::Down, SATURATE)
#if US_TO_IS_INTEGER
#define FROM(T) MODES(T, , false) MODES(T, _sat, true)
#else
#define FROM(T) MODES(T, , false)
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

} // namespace
} // namespace us::test
