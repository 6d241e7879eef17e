// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compare/judgement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace us::compare {
namespace {

constexpr ElementType kFloat{ElementKind::Float, 4, 1, 1}, kInt{ElementKind::Signed, 4, 1, 1},
    kFloat3{ElementKind::Float, 4, 3, 4};
constexpr float kOne = 1.0f, kNextToOne = 1.0f + 0x1p-23f;

template <class T> std::span<const std::byte> bytes(const std::vector<T> &values) {
  return std::as_bytes(std::span(values));
}

template <class T>
Judgement judged(const std::vector<T> &reference, const std::vector<T> &candidate, const Layout &layout,
                 const Tolerance &tolerance = {}, bool mayReorder = false) {
  return judge({bytes(reference), bytes(candidate)}, layout, tolerance, mayReorder);
}

TEST(Judge, FindsWhereIntegersDiffer) {
  std::vector<int> reference(5000, 7), candidate = reference;
  candidate[4321] = 8;
  const Judgement found = judged(reference, candidate, {kInt}, {.ulps = 1000, .absolute = 100, .relative = 1});
  EXPECT_EQ(found.elements, 5000u);
  EXPECT_EQ(found.differing, 1u);
  ASSERT_EQ(found.first.size(), 1u);
  EXPECT_EQ(found.first[0].element, 4321);
  EXPECT_EQ(found.first[0].reference, "7");
  EXPECT_EQ(found.first[0].candidate, "8");
  EXPECT_FALSE(found.first[0].ulps);
}

TEST(Judge, FloatsMayBeAsFarApartAsIsSaid) {
  const std::vector<float> reference{kOne, kOne}, candidate{kOne, kNextToOne};
  const Judgement exact = judged(reference, candidate, {kFloat});
  EXPECT_EQ(exact.differing, 1u);
  EXPECT_EQ(exact.first.at(0).ulps, 1u);
  const Judgement near = judged(reference, candidate, {kFloat}, {.ulps = 1});
  EXPECT_EQ(near.differing, 0u);
  EXPECT_EQ(near.tolerated, 1u);
  EXPECT_EQ(near.largestUlps, 1u);
  EXPECT_EQ(judged<float>({1.0f}, {1.001f}, {kFloat}, {.absolute = 0.01}).differing, 0u);
  EXPECT_EQ(judged<float>({100.0f}, {101.0f}, {kFloat}, {.absolute = 0.01}).differing, 1u);
  EXPECT_EQ(judged<float>({100.0f}, {101.0f}, {kFloat}, {.relative = 0.02}).differing, 0u);
  EXPECT_EQ(judged<float>({1.0f}, {1.1f}, {kFloat}, {.relative = 0.02}).differing, 1u);
}

TEST(Judge, NoToleranceIsWideEnoughForWhatIsNoNumber) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();
  const Tolerance wide{.ulps = 1000, .absolute = 1e30, .relative = 1};
  EXPECT_EQ(judged<float>({1.0f}, {kNan}, {kFloat}, wide).differing, 1u);
  EXPECT_EQ(judged<float>({kInfinity}, {1.0f}, {kFloat}, wide).differing, 1u);
  EXPECT_EQ(judged<float>({kInfinity}, {-kInfinity}, {kFloat}, wide).differing, 1u);
  EXPECT_EQ(judged<float>({kNan}, {std::copysign(kNan, -1.0f)}, {kFloat}).differing, 0u);
}

TEST(Judge, HalvesAreHeldMoreTightly) {
  constexpr ElementType kHalf{ElementKind::Float, 2, 1, 1};
  EXPECT_EQ(judged<uint16_t>({0x3c00}, {0x3c04}, {kHalf}, {.ulps = 16}).differing, 0u);
  EXPECT_EQ(judged<uint16_t>({0x3c00}, {0x3c05}, {kHalf}, {.ulps = 16}).differing, 1u);
}

TEST(Judge, DenormalsMayBeZeroWhereTheyAreFlushed) {
  EXPECT_EQ(judged<float>({1e-39f}, {0}, {kFloat}, {.ulps = 16}).differing, 1u);
  EXPECT_EQ(judged<float>({1e-39f}, {0}, {kFloat}, {.ulps = 16, .flushesDenormals = true}).differing, 0u);
  EXPECT_EQ(judged<float>({2e-38f}, {0}, {kFloat}, {.ulps = 16, .flushesDenormals = true}).differing, 1u);
}

TEST(Judge, TheRoomBehindAVectorOfThreeIsNobodys) {
  const std::vector<float> reference{1, 2, 3, 4, 5, 6, 7, 8}, candidate{1, 2, 3, 99, 5, 66, 7, 99};
  const Judgement found = judged(reference, candidate, {kFloat3});
  EXPECT_EQ(found.differing, 1u);
  EXPECT_EQ(found.first.at(0).element, 1);
  EXPECT_EQ(found.first.at(0).lane, 1u);
}

TEST(Judge, ElementsAreCountedFromWhereTheArgumentPoints) {
  const std::vector<int> reference{0, 1, 2, 3}, candidate{9, 1, 2, 9};
  const Judgement found = judged(reference, candidate, {kInt, 8});
  ASSERT_EQ(found.first.size(), 2u);
  EXPECT_EQ(found.first[0].element, -2);
  EXPECT_EQ(found.first[1].element, 1);
}

TEST(Judge, BytesInWhichNoElementHasRoomAreCompared) {
  std::vector<uint8_t> reference(11), candidate(11);
  candidate[0] = candidate[10] = 1;
  EXPECT_EQ(judged(reference, candidate, {kInt, 2}).differing, 2u);
}

TEST(Judge, WhatTheReferenceDoesNotRepeatIsNotCompared) {
  const std::vector<int> reference{1, 2, 3}, candidate{1, 9, 9}, unsteady{0, 1, 0};
  const Judgement found = judge({bytes(reference), bytes(candidate), bytes(unsteady)}, {kInt}, {}, false);
  EXPECT_EQ(found.unsteady, 1u);
  EXPECT_EQ(found.differing, 1u);
  EXPECT_EQ(found.first.at(0).element, 2);
}

TEST(Judge, AnotherOrderIsNoDifferenceWhereNobodyPromisesOne) {
  const std::vector<int> reference{1, 2, 3, 0}, candidate{3, 1, 2, 0}, other{3, 1, 1, 0};
  EXPECT_EQ(judged(reference, candidate, {kInt}).differing, 3u);
  const Judgement found = judged(reference, candidate, {kInt}, {}, true);
  EXPECT_EQ(found.differing, 0u);
  EXPECT_EQ(found.reordered, 3u);
  EXPECT_EQ(judged(reference, other, {kInt}, {}, true).differing, 3u);
  // The elements of vectors stay together.
  constexpr ElementType kInt2{ElementKind::Signed, 4, 2, 2};
  EXPECT_EQ(judged<int>({1, 2, 3, 4}, {3, 4, 1, 2}, {kInt2}, {}, true).differing, 0u);
  EXPECT_EQ(judged<int>({1, 2, 3, 4}, {2, 1, 4, 3}, {kInt2}, {}, true).differing, 4u);
}

TEST(Judge, UnknownWordsMayBeFloats) {
  const Tolerance some{.ulps = 4};
  EXPECT_EQ(judged<float>({1.0f}, {kNextToOne}, {}, some).differing, 0u);
  EXPECT_EQ(judged<double>({1.0}, {1.0 + 0x1p-52}, {}, some).differing, 0u);
  EXPECT_EQ(judged<float>({1.0f}, {1.01f}, {}, some).differing, 1u);
  EXPECT_EQ(judged<int>({1000}, {1001}, {}, some).differing, 1u);
  EXPECT_EQ(judged<int>({-1000}, {-1001}, {}, some).differing, 1u);
  EXPECT_EQ(judged<float>({1.0f}, {kNextToOne}, {}).differing, 1u);
}

} // namespace
} // namespace us::compare
