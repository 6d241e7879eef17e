// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector forms of the math functions, of US_TYPE in this build, give component by component what the scalar forms give;
// functions with a second result do so in every address space.
#include <gtest/gtest.h>

#include "tests/emulator/builtins/opencl/math/operands.h"

namespace us::test {
namespace {

using ulong = std::uint64_t;
using T = US_TYPE;

const std::vector<T> &values(int which) {
  static const std::vector<T> lists[] = {operands<T>(500, 1), operands<T>(700, 2), operands<T>(900, 3)};
  return lists[which];
}
const std::vector<int> &integers() {
  static const std::vector<int> list = [] {
    std::vector<int> numbers;
    for (std::size_t i = 0; i < values(0).size(); ++i) numbers.push_back(static_cast<int>(i % 23) - 11);
    return numbers;
  }();
  return list;
}
// An array for a second result, aligned for the widest vector.
alignas(128) char gMemory[128];

#define NAME2(P, F, A) P##F##_##A
#define NAME(P, F, A) NAME2(P, F, A)
#define ONE(F)                                                                                                         \
  extern "C" ulong NAME(widths_, F, US_TYPE)(const T *, ulong);                                                        \
  TEST(MathWidths, F) { EXPECT_EQ(NAME(widths_, F, US_TYPE)(values(0).data(), values(0).size()), 0u); }
#define TWO(F)                                                                                                         \
  extern "C" ulong NAME(widths_, F, US_TYPE)(const T *, const T *, ulong);                                             \
  TEST(MathWidths, F) {                                                                                                \
    EXPECT_EQ(NAME(widths_, F, US_TYPE)(values(0).data(), values(1).data(), values(0).size()), 0u);                    \
  }
#define POWER(F)                                                                                                       \
  extern "C" ulong NAME(widths_, F, US_TYPE)(const T *, const int *, ulong);                                           \
  TEST(MathWidths, F) {                                                                                                \
    EXPECT_EQ(NAME(widths_, F, US_TYPE)(values(0).data(), integers().data(), values(0).size()), 0u);                   \
  }
#define THREE(F)                                                                                                       \
  extern "C" ulong NAME(widths_, F, US_TYPE)(const T *, const T *, const T *, ulong);                                  \
  TEST(MathWidths, F) {                                                                                                \
    EXPECT_EQ(NAME(widths_, F, US_TYPE)(values(0).data(), values(1).data(), values(2).data(), values(0).size()), 0u);  \
  }
#define SECOND(F)                                                                                                      \
  extern "C" ulong NAME(widths_, F, US_TYPE)(const T *, void *, ulong);                                                \
  TEST(MathWidths, F) { EXPECT_EQ(NAME(widths_, F, US_TYPE)(values(0).data(), gMemory, values(0).size()), 0u); }

#define US_UNARY(F, ...) ONE(F)
#define US_BINARY(F, ...) TWO(F)
#define US_POWER_INT(F, ...) POWER(F)
#define US_EXACT_UNARY(F) ONE(F)
#define US_EXACT_BINARY(F) TWO(F)
#include "tests/emulator/builtins/opencl/math/functions.def"
ONE(lgamma)
ONE(ilogb)
POWER(ldexp)
THREE(fma)
THREE(mad)
#ifdef US_WITH_F32_FUNCTIONS
#define US_F32_UNARY(F) ONE(F)
#define US_F32_BINARY(F) TWO(F)
#include "tests/emulator/builtins/opencl/math/f32_functions.def"
#endif
SECOND(fract)
SECOND(modf)
SECOND(sincos)
SECOND(frexp)
SECOND(lgamma_r)
SECOND(remquo)

} // namespace
} // namespace us::test
