// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every math function with a limit stays within it, special values included: edges and random operands for f32 and f64,
// a fifth of all operands for half. Prints the largest error of each.
#include <gtest/gtest.h>

#include <cstdio>
#include <functional>

#include "tests/emulator/builtins/opencl/math/operands.h"
#include "tests/emulator/builtins/opencl/math/reference.h"

namespace us::test {
namespace {

using ulong = std::uint64_t;
constexpr std::size_t kUnaryCount = 12000;
constexpr std::size_t kPairCount = 15000;

template <typename T> constexpr Format kFormat = Format::kDouble;
template <> constexpr Format kFormat<float> = Format::kFloat;
template <> constexpr Format kFormat<half> = Format::kHalf;
template <typename T> constexpr const char *kName = "f64";
template <> constexpr const char *kName<float> = "f32";
template <> constexpr const char *kName<half> = "half";

struct Worst {
  double error = 0;
  double x = 0, y = 0, result = 0;
  void take(double newError, double newX, double newY, double newResult) {
    if (newError <= error) return;
    *this = {newError, newX, newY, newResult};
  }
  void check(const char *function, const char *type, double limit) const {
    // Correctly rounded is half a unit.
    const double bound = limit == 0 ? 0.5 : limit;
    EXPECT_LE(error, bound) << function << " " << type << " of " << std::hexfloat << x << ", " << y << " gives "
                            << result << std::defaultfloat;
    std::printf("  %-8s %-4s %.3f ulp of %g\n", function, type, error, limit);
  }
};

template <typename T> void checkUnary(const char *name, void (*function)(const T *, T *, ulong), double limit) {
  const std::vector<T> x = operands<T>(kUnaryCount, 1);
  std::vector<T> result(x.size());
  function(x.data(), result.data(), x.size());
  Worst worst;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double given = static_cast<double>(x[i]), found = static_cast<double>(result[i]);
    worst.take(unaryError(name, kFormat<T>, given, found), given, 0, found);
  }
  worst.check(name, kName<T>, limit);
}

/// All pairs of some of the edges, then random pairs.
template <typename T> std::pair<std::vector<T>, std::vector<T>> operandPairs() {
  const std::vector<T> edges = edgeOperands<T>();
  const std::vector<T> a = operands<T>(kPairCount, 2), b = operands<T>(kPairCount, 3);
  std::pair<std::vector<T>, std::vector<T>> pairs;
  for (std::size_t i = 0; i < edges.size(); i += 3)
    for (std::size_t k = 0; k < edges.size(); k += 3) pairs.first.push_back(edges[i]), pairs.second.push_back(edges[k]);
  for (std::size_t i = edges.size() - 16; i < edges.size(); ++i)
    for (T edge : edges) {
      pairs.first.insert(pairs.first.end(), {edges[i], edge});
      pairs.second.insert(pairs.second.end(), {edge, edges[i]});
    }
  std::mt19937 random(4);
  for (std::size_t i = 0; i < kPairCount; ++i)
    pairs.first.push_back(a[random() % a.size()]), pairs.second.push_back(b[random() % b.size()]);
  return pairs;
}

template <typename T>
void checkBinary(const char *name, void (*function)(const T *, const T *, T *, ulong), double limit) {
  const auto [x, y] = operandPairs<T>();
  std::vector<T> result(x.size());
  function(x.data(), y.data(), result.data(), x.size());
  Worst worst;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = static_cast<double>(x[i]), b = static_cast<double>(y[i]), found = static_cast<double>(result[i]);
    worst.take(binaryError(name, kFormat<T>, a, b, found), a, b, found);
  }
  worst.check(name, kName<T>, limit);
}

template <typename T>
void checkPower(const char *name, void (*function)(const T *, const int *, T *, ulong), double limit) {
  const std::vector<T> a = operands<T>(kPairCount, 5);
  std::vector<T> x;
  std::vector<int> n;
  std::mt19937 random(6);
  for (int k : {0, 1, -1, 2, -2, 3, -3, 4, 5, 7, 10, 31, -31, 127, 1000, 0x7fffffff, -0x7fffffff - 1})
    for (T edge : edgeOperands<T>()) x.push_back(edge), n.push_back(k);
  for (std::size_t i = 0; i < kPairCount; ++i) {
    x.push_back(a[random() % a.size()]);
    n.push_back(static_cast<std::int32_t>(random()) >> (random() % 32));
  }
  std::vector<T> result(x.size());
  function(x.data(), n.data(), result.data(), x.size());
  Worst worst;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double given = static_cast<double>(x[i]), found = static_cast<double>(result[i]);
    worst.take(powerError(name, kFormat<T>, given, n[i], found), given, n[i], found);
  }
  worst.check(name, kName<T>, limit);
}

#define UNARY(F, T, LIMIT)                                                                                             \
  extern "C" void test_##F##_##T(const T *, T *, ulong);                                                               \
  TEST(MathAccuracy, F##_##T) { checkUnary<T>(#F, test_##F##_##T, LIMIT); }
#define BINARY(F, T, LIMIT)                                                                                            \
  extern "C" void test_##F##_##T(const T *, const T *, T *, ulong);                                                    \
  TEST(MathAccuracy, F##_##T) { checkBinary<T>(#F, test_##F##_##T, LIMIT); }
#define POWER(F, T, LIMIT)                                                                                             \
  extern "C" void test_##F##_##T(const T *, const int *, T *, ulong);                                                  \
  TEST(MathAccuracy, F##_##T) { checkPower<T>(#F, test_##F##_##T, LIMIT); }
#define US_UNARY(F, F32, F64, HALF) UNARY(F, float, F32) UNARY(F, double, F64) UNARY(F, half, HALF)
#define US_BINARY(F, F32, F64, HALF) BINARY(F, float, F32) BINARY(F, double, F64) BINARY(F, half, HALF)
#define US_POWER_INT(F, F32, F64, HALF) POWER(F, float, F32) POWER(F, double, F64) POWER(F, half, HALF)
#define US_EXACT_UNARY(F)
#define US_EXACT_BINARY(F)
#include "tests/emulator/builtins/opencl/math/functions.def"

} // namespace
} // namespace us::test
