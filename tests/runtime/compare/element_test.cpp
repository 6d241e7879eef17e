// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Distances of floating-point numbers, worked out from IEEE 754's binary formats by hand: what the bits are stands
// beside each.
#include "runtime/compare/element.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace us::compare {
namespace {

template <class T> const std::byte *bytes(const T &value) { return reinterpret_cast<const std::byte *>(&value); }
uint64_t floats(uint32_t a, uint32_t b) { return ulpDistance(4, bytes(a), bytes(b)); }
uint64_t halves(uint16_t a, uint16_t b) { return ulpDistance(2, bytes(a), bytes(b)); }
uint64_t doubles(uint64_t a, uint64_t b) { return ulpDistance(8, bytes(a), bytes(b)); }

TEST(UlpDistance, CountsTheNumbersBetween) {
  EXPECT_EQ(floats(0x3f800000, 0x3f800000), 0u);       // 1 and 1
  EXPECT_EQ(floats(0x3f800000, 0x3f800001), 1u);       // 1 and 1 + 2^-23
  EXPECT_EQ(floats(0x3f800000, 0x3f7fffff), 1u);       // 1 and 1 - 2^-24: the numbers below are twice as dense
  EXPECT_EQ(floats(0x3f800000, 0x40000000), 1u << 23); // 1 and 2: all fractions of one exponent
  EXPECT_EQ(floats(0xc0000001, 0xc0000004), 3u);       // of negative numbers, too
  EXPECT_EQ(halves(0x3c00, 0x3c02), 2u);               // 1 and 1 + 2 * 2^-10
  EXPECT_EQ(doubles(0x3ff0000000000000, 0x4000000000000000), uint64_t(1) << 52); // 1 and 2
}

TEST(UlpDistance, GoesThroughZero) {
  EXPECT_EQ(floats(0x00000000, 0x80000000), 0u);        // +0 and -0 are equal
  EXPECT_EQ(floats(0x00000001, 0x80000001), 2u);        // the least denormals of either sign have zero between them
  EXPECT_EQ(floats(0x00000000, 0x00800000), 0x800000u); // 0 and the least normal number
  EXPECT_EQ(halves(0x0001, 0x8000), 1u);
}

TEST(UlpDistance, InfinitiesComeAfterTheLargestNumbers) {
  EXPECT_EQ(floats(0x7f7fffff, 0x7f800000), 1u);
  EXPECT_EQ(floats(0x7f800000, 0x7f800000), 0u);
  EXPECT_GT(floats(0x7f800000, 0xff800000), 0xf0000000u);
  EXPECT_EQ(halves(0x7bff, 0x7c00), 1u);
}

TEST(UlpDistance, NansEqualEachOtherOnly) {
  EXPECT_EQ(floats(0x7fc00000, 0xffc12345), 0u);
  EXPECT_EQ(floats(0x7fc00000, 0x7f800000), kFarApart);
  EXPECT_EQ(floats(0x00000000, 0x7f800001), kFarApart); // a signaling one
  EXPECT_EQ(doubles(0x7ff8000000000000, 0), kFarApart);
}

TEST(UlpDistance, AgreesWithTheHostsNextNumber) {
  for (float from : {1e-45f, 1e-38f, 0.1f, 3.0f, 1e30f, -7.5f}) {
    float to = from;
    for (int i = 0; i < 5; ++i) to = std::nextafter(to, std::numeric_limits<float>::infinity());
    EXPECT_EQ(ulpDistance(4, bytes(from), bytes(to)), 5u) << from;
  }
}

TEST(FloatValue, IsTheNumber) {
  const auto half = [](uint16_t bits) { return floatValue(2, bytes(bits)); };
  EXPECT_EQ(half(0x3c00), 1.0);
  EXPECT_EQ(half(0xc000), -2.0);
  EXPECT_EQ(half(0x7bff), 65504.0);            // the largest
  EXPECT_EQ(half(0x0001), std::ldexp(1, -24)); // the least denormal
  EXPECT_EQ(half(0x0400), std::ldexp(1, -14)); // the least normal
  EXPECT_TRUE(std::isinf(half(0x7c00)));
  EXPECT_TRUE(std::isnan(half(0x7e00)));
  for (float value : {0.1f, -3e38f, 1e-45f, 1e-38f}) EXPECT_EQ(floatValue(4, bytes(value)), double(value));
  for (double value : {0.1, -1e308, 5e-324}) EXPECT_EQ(floatValue(8, bytes(value)), value);
}

TEST(IsBelowNormal, IsWhatHasNoExponent) {
  const auto is = [](uint32_t bits) { return isBelowNormal(4, bytes(bits)); };
  EXPECT_TRUE(is(0));
  EXPECT_TRUE(is(0x807fffff)); // the denormal of the largest magnitude
  EXPECT_FALSE(is(0x00800000));
}

TEST(LooksLikeFloat, NoneOfWhatIntegersUsuallyAre) {
  for (float value : {1.0f, -0.001f, 1e10f, 3.14f}) EXPECT_TRUE(looksLikeFloat(4, bytes(value))) << value;
  for (int32_t value : {0, 1, -1, 1000, -1000, 1000000, 0x7fffffff})
    EXPECT_FALSE(looksLikeFloat(4, bytes(value))) << value;
}

TEST(ElementTypeNamed, KnowsTheTypesOfTheLanguage) {
  EXPECT_EQ(elementTypeNamed("float*"), (ElementType{ElementKind::Float, 4, 1, 1}));
  EXPECT_EQ(elementTypeNamed("double4"), (ElementType{ElementKind::Float, 8, 4, 4}));
  EXPECT_EQ(elementTypeNamed("half16*"), (ElementType{ElementKind::Float, 2, 16, 16}));
  EXPECT_EQ(elementTypeNamed("uchar"), (ElementType{ElementKind::Unsigned, 1, 1, 1}));
  // "a 3-component vector ... aligned to ... 4 * sizeof(component)"
  EXPECT_EQ(elementTypeNamed("int3*"), (ElementType{ElementKind::Signed, 4, 3, 4}));
  for (const char *other : {"", "void*", "struct S*", "float4x", "float**", "float99", "image2d_t"})
    EXPECT_EQ(elementTypeNamed(other), ElementType{}) << other;
}

TEST(TextOf, IsWhatAPersonReads) {
  EXPECT_EQ(textOf(ElementKind::Float, 4, bytes(1.5f)), "1.5");
  EXPECT_EQ(textOf(ElementKind::Float, 2, bytes(uint16_t(0x3c00))), "1");
  EXPECT_EQ(textOf(ElementKind::Signed, 1, bytes(int8_t(-3))), "-3");
  EXPECT_EQ(textOf(ElementKind::Unsigned, 1, bytes(uint8_t(253))), "253");
  EXPECT_EQ(textOf(ElementKind::Unknown, 4, bytes(uint32_t(0x3f800000))), "0x3f800000");
}

} // namespace
} // namespace us::compare
