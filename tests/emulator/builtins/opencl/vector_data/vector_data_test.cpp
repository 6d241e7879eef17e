// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector loads and stores move the right elements and no others, in every address space.
#include <gtest/gtest.h>

#include <bit>

#include "tests/emulator/builtins/support/values.h"

namespace us::test {
namespace {

template <typename T> void check(ulong (*run)(const T *, T *, ulong)) {
  alignas(64) T in[64], out[64];
  for (int i = 0; i < 64; ++i) in[i] = T(i + 1);
  EXPECT_EQ(run(in + 1, out + 1, 63), 0u);
}
#define SPACE(S, T)                                                                                                    \
  extern "C" ulong S##_##T(const T *, T *, ulong);                                                                     \
  TEST(VectorData, S##_##T) { check<T>(S##_##T); }
#define TYPE(T) SPACE(global, T) SPACE(local, T) SPACE(private, T) SPACE(generic, T) SPACE(constant, T)
TYPE(char)
TYPE(uchar)
TYPE(short)
TYPE(ushort)
TYPE(int)
TYPE(uint)
TYPE(long)
TYPE(ulong)
TYPE(half)
TYPE(float)
TYPE(double)

extern "C" void load_half(const half *, float *, ulong);
extern "C" ulong load_half_global(const half *, ulong), load_half_local(const half *, ulong),
    load_half_constant(const half *, ulong);
extern "C" ulong store_half_global_float(const float *, half *, ulong),
    store_half_global_double(const double *, half *, ulong), store_half_local_float(const float *, half *, ulong);

struct alignas(64) Halves {
  half values[65536];
};

TEST(VectorData, vload_half) {
  static Halves all;
  static float floats[65536];
  for (uint i = 0; i < 65536; ++i) all.values[i] = std::bit_cast<half>(ushort(i));
  load_half(all.values, floats, 65536);
  for (uint bits = 0; bits < 65536; ++bits) {
    // The value from its fields, not from another conversion.
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    if (exponent == 31)
      EXPECT_TRUE(fraction ? std::isnan(floats[bits]) : std::isinf(floats[bits])) << bits;
    else
      EXPECT_EQ(std::abs(double(floats[bits])), magnitude) << bits;
    if (exponent < 31 || !fraction) EXPECT_EQ(std::signbit(floats[bits]), bits >> 15) << bits;
  }
  EXPECT_EQ(load_half_global(all.values, 65536), 0u);
  EXPECT_EQ(load_half_local(all.values, 65536), 0u);
  EXPECT_EQ(load_half_constant(all.values, 65536), 0u);
}

template <typename F> std::vector<F> nearHalves() {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> fraction(-2, 2);
  std::vector<F> values = {
      F(0),     F(-0.0),  std::numeric_limits<F>::infinity(), std::numeric_limits<F>::quiet_NaN(), F(65519.99),
      F(65520), F(-70000)};
  while (values.size() < 4800) values.push_back(F(std::ldexp(fraction(random), int(random() % 44) - 27)));
  return values;
}
TEST(VectorData, vstore_half) {
  static Halves out;
  EXPECT_EQ(store_half_global_float(nearHalves<float>().data(), out.values, 4800), 0u);
  EXPECT_EQ(store_half_local_float(nearHalves<float>().data(), out.values, 4800), 0u);
  EXPECT_EQ(store_half_global_double(nearHalves<double>().data(), out.values, 4800), 0u);
}

#define SHUFFLE(T, M)                                                                                                  \
  extern "C" ulong shuffle_##T(const T *, const M *, ulong);                                                           \
  TEST(VectorData, shuffle_##T) {                                                                                      \
    T values[100];                                                                                                     \
    for (int i = 0; i < 100; ++i) values[i] = T(i);                                                                    \
    EXPECT_EQ(shuffle_##T(values, integers<M>(100, 9).data(), 100), 0u);                                               \
  }
SHUFFLE(char, uchar)
SHUFFLE(ushort, ushort)
SHUFFLE(half, ushort)
SHUFFLE(float, uint)
SHUFFLE(long, ulong)

} // namespace
} // namespace us::test
