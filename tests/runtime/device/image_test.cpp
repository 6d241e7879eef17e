// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/device/image.h"

#include <gtest/gtest.h>

namespace us::test {
namespace {

ImageDescription imageOf(ImageKind kind, uint64_t width, uint64_t height, uint64_t depth, uint64_t layers) {
  ImageDescription image{.kind = kind, .width = width, .height = height, .depth = depth, .arraySize = layers};
  image.levels = 4;
  image.rowPitch = width * image.elementSize;
  image.slicePitch = image.rowPitch * height;
  return image;
}

// "Each successively smaller mipmap level is half the size of the previous level, rounded down to the nearest integer."
TEST(Image, LevelsLieOneBehindTheOther) {
  const ImageDescription solid = imageOf(ImageKind::Image3D, 13, 6, 5, 1);
  const uint64_t sizes[][3] = {{13, 6, 5}, {6, 3, 2}, {3, 1, 1}, {1, 1, 1}};
  uint64_t offset = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    const auto [level, begin] = levelOf(solid, i);
    const auto [width, height, depth] = sizes[i];
    EXPECT_TRUE(level.width == width && level.height == height && level.depth == depth && level.levels == 1) << i;
    EXPECT_EQ(offset, begin);
    EXPECT_EQ(width * 4, level.rowPitch);
    EXPECT_EQ(width * height * 4, level.slicePitch);
    offset += width * height * depth * 4;
  }
  EXPECT_EQ(offset, levelOf(solid, 4).offset);
}

TEST(Image, LayersOfALevelStayAsMany) {
  for (const ImageKind kind : {ImageKind::Image1DArray, ImageKind::Image2DArray}) {
    const uint64_t height = kind == ImageKind::Image2DArray ? 4 : 1;
    const auto [level, begin] = levelOf(imageOf(kind, 8, height, 1, 3), 1);
    EXPECT_EQ(3u, level.arraySize);
    EXPECT_EQ(8 * height * 3 * 4, begin);
    EXPECT_EQ(4 * (height / 2 ? height / 2 : 1) * 4, level.slicePitch);
  }
}

TEST(Image, SamplersOfLiteralsHaveTheDefaultsOfLevels) {
  const SamplerDescription sampler{true, AddressingMode::Repeat, FilterMode::Linear};
  EXPECT_EQ(0x27u, samplerBits(sampler));
  SamplerDescription other = sampler;
  other.mipFilter = FilterMode::Linear;
  EXPECT_EQ(0x67u, samplerBits(other));
  other = sampler;
  other.leastLevel = 0.5f;
  EXPECT_EQ(0x3f0000ull << 16 | 0x27, samplerBits(other));
  other = sampler;
  other.mostLevel = 2;
  EXPECT_EQ((0x400000ull ^ 0x7f7fff) << 40 | 0x27, samplerBits(other));
}

} // namespace
} // namespace us::test
