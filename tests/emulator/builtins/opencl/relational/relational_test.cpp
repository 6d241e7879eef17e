// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The relational functions against the host's own comparisons and classification.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/emulator/builtins/support/values.h"

namespace us::test {
namespace {

#define ONE(F, T, I)                                                                                                   \
  extern "C" void test_##F##_##T(const T *, int *, ulong);                                                             \
  extern "C" ulong widths_##F##_##T(const T *, ulong);
#define TWO(F, T, I)                                                                                                   \
  extern "C" void test_##F##_##T(const T *, const T *, int *, ulong);                                                  \
  extern "C" ulong widths_##F##_##T(const T *, const T *, ulong);
#include "tests/emulator/builtins/opencl/relational/functions.def"

template <typename T> std::vector<T> edges() {
  std::vector<T> values = {T(0),
                           T(1),
                           Limits<T>::infinity(),
                           Limits<T>::quiet_NaN(),
                           Limits<T>::max(),
                           Limits<T>::min(),
                           Limits<T>::denorm_min(),
                           T(0.5),
                           T(1.5)};
  for (std::size_t i = 0, n = values.size(); i < n; ++i) values.push_back(-values[i]);
  return values;
}

// The smallest normal half has no place in double's classification, so that one is said by its limits.
template <typename T> bool isNormal(T x) {
  return std::abs(double(x)) >= double(Limits<T>::min()) && !std::isinf(double(x));
}

struct Reference {
  static bool isfinite(auto x) { return std::isfinite(double(x)); }
  static bool isinf(auto x) { return std::isinf(double(x)); }
  static bool isnan(auto x) { return std::isnan(double(x)); }
  static bool isnormal(auto x) { return isNormal(x); }
  static bool signbit(auto x) { return std::signbit(double(x)); }
  static bool isequal(double x, double y) { return x == y; }
  static bool isnotequal(double x, double y) { return x != y; }
  static bool isgreater(double x, double y) { return std::isgreater(x, y); }
  static bool isgreaterequal(double x, double y) { return std::isgreaterequal(x, y); }
  static bool isless(double x, double y) { return std::isless(x, y); }
  static bool islessequal(double x, double y) { return std::islessequal(x, y); }
  static bool islessgreater(double x, double y) { return std::islessgreater(x, y); }
  static bool isordered(double x, double y) { return !std::isunordered(x, y); }
  static bool isunordered(double x, double y) { return std::isunordered(x, y); }
};

#define ONE(F, T, I)                                                                                                   \
  TEST(Relational, F##_##T) {                                                                                          \
    const auto values = edges<T>();                                                                                    \
    std::vector<int> r(values.size());                                                                                 \
    test_##F##_##T(values.data(), r.data(), values.size());                                                            \
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(r[i], Reference::F(values[i])) << double(values[i]);     \
    EXPECT_EQ(widths_##F##_##T(values.data(), values.size()), 0u);                                                     \
  }
#define TWO(F, T, I)                                                                                                   \
  TEST(Relational, F##_##T) {                                                                                          \
    std::vector<T> a, b;                                                                                               \
    for (T x : edges<T>())                                                                                             \
      for (T y : edges<T>()) a.push_back(x), b.push_back(y);                                                           \
    std::vector<int> r(a.size());                                                                                      \
    test_##F##_##T(a.data(), b.data(), r.data(), a.size());                                                            \
    for (std::size_t i = 0; i < a.size(); ++i)                                                                         \
      EXPECT_EQ(r[i], Reference::F(double(a[i]), double(b[i]))) << double(a[i]) << " " << double(b[i]);                \
    EXPECT_EQ(widths_##F##_##T(a.data(), b.data(), a.size()), 0u);                                                     \
  }
#include "tests/emulator/builtins/opencl/relational/functions.def"

#define ANY_ALL(T)                                                                                                     \
  extern "C" int any_##T(const T *, uint);                                                                             \
  extern "C" int all_##T(const T *, uint);                                                                             \
  TEST(Relational, any_all_##T) {                                                                                      \
    for (uint n : {1, 2, 3, 4, 8, 16})                                                                                 \
      for (uint set = 0; set <= n; ++set) {                                                                            \
        T negative[16], positive[16];                                                                                  \
        for (uint i = 0; i < 16; ++i) negative[i] = i == set ? 1 : -1, positive[i] = i == set ? -1 : 1;                \
        EXPECT_EQ(any_##T(positive, n), set < n);                                                                      \
        EXPECT_EQ(all_##T(negative, n), set >= n);                                                                     \
      }                                                                                                                \
  }
ANY_ALL(char)
ANY_ALL(short)
ANY_ALL(int)
ANY_ALL(long)

template <typename T> std::vector<T> bits(std::size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> values(n);
  for (T &value : values) {
    ulong word = random() % 5 == 0 ? 0 : random();
    std::memcpy(&value, &word, sizeof(T));
  }
  return values;
}
#define SELECT(T, M)                                                                                                   \
  extern "C" ulong select_##T##_##M(const T *, const T *, const M *, ulong);                                           \
  TEST(Relational, select_##T##_##M) {                                                                                 \
    EXPECT_EQ(select_##T##_##M(bits<T>(480, 1).data(), bits<T>(480, 2).data(), bits<M>(480, 3).data(), 480), 0u);      \
  }
SELECT(char, char)
SELECT(char, uchar)
SELECT(ushort, short)
SELECT(half, ushort)
SELECT(float, int)
SELECT(float, uint)
SELECT(uint, uint)
SELECT(double, long)
SELECT(long, ulong)

#define BITSELECT(T)                                                                                                   \
  extern "C" void test_bitselect_##T(const T *, const T *, const T *, T *, ulong);                                     \
  extern "C" ulong widths_bitselect_##T(const T *, const T *, const T *, ulong);                                       \
  TEST(Relational, bitselect_##T) {                                                                                    \
    auto a = bits<T>(480, 1), b = bits<T>(480, 2), c = bits<T>(480, 3);                                                \
    std::vector<T> r(480);                                                                                             \
    test_bitselect_##T(a.data(), b.data(), c.data(), r.data(), 480);                                                   \
    auto word = [](T x) {                                                                                              \
      ulong w = 0;                                                                                                     \
      std::memcpy(&w, &x, sizeof(T));                                                                                  \
      return w;                                                                                                        \
    };                                                                                                                 \
    for (std::size_t i = 0; i < r.size(); ++i)                                                                         \
      EXPECT_EQ(word(r[i]), (word(a[i]) & ~word(c[i])) | (word(b[i]) & word(c[i])));                                   \
    EXPECT_EQ(widths_bitselect_##T(a.data(), b.data(), c.data(), 480), 0u);                                            \
  }
BITSELECT(uchar)
BITSELECT(short)
BITSELECT(half)
BITSELECT(int)
BITSELECT(float)
BITSELECT(ulong)
BITSELECT(double)

} // namespace
} // namespace us::test
