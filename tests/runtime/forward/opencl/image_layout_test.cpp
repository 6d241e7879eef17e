// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/image_layout.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

namespace us::forward {
namespace {

ImageDescription array2D() {
  ImageDescription image;
  image.kind = ImageKind::Image2DArray;
  image.width = 5, image.height = 3, image.arraySize = 4;
  image.rowPitch = 24, image.slicePitch = 96; // a pixel more than there are, and a row
  return image;
}

TEST(ImageLayout, LayersOfArraysOf1DImagesAreRows) {
  ImageDescription image;
  image.kind = ImageKind::Image1DArray;
  image.width = 8, image.arraySize = 6;
  image.rowPitch = image.slicePitch = 40;
  const PixelGrid grid = gridOf(image);
  EXPECT_EQ(grid.rows, 6u);
  EXPECT_EQ(grid.slices, 1u);
  EXPECT_EQ(grid.rowPitch, 40u);
  EXPECT_EQ(grid.slicePitch, 240u);
}

TEST(ImageLayout, ABoxIsFoundByItsPitches) {
  const PixelGrid grid = gridOf(array2D());
  // Pixel (2, 1) of layer 3.
  const std::optional<PixelBox> box = boxOf(grid, {3 * 96 + 24 + 8, 24, 96}, {12, 2, 1});
  ASSERT_TRUE(box);
  EXPECT_EQ(box->origin, (Size3{2, 1, 3}));
  EXPECT_EQ(box->region, (Size3{3, 2, 1}));
}

TEST(ImageLayout, WhatIsNoBoxIsNone) {
  const PixelGrid grid = gridOf(array2D());
  EXPECT_FALSE(boxOf(grid, {0, 28, 96}, {20, 2, 1})) << "another pitch";
  EXPECT_FALSE(boxOf(grid, {2, 24, 96}, {4, 1, 1})) << "half a pixel";
  EXPECT_FALSE(boxOf(grid, {8, 24, 96}, {16, 1, 1})) << "beyond the row";
  EXPECT_FALSE(boxOf(grid, {24, 24, 96}, {20, 3, 1})) << "beyond the layer";
  EXPECT_FALSE(boxOf(grid, {96, 24, 96}, {20, 3, 4})) << "beyond the image";
}

/// Every pixel that lies in the range is in one box, where its bytes are.
TEST(ImageLayout, RangesAreBoxes) {
  std::mt19937 random(3);
  const auto number = [&](uint64_t most) { return std::uniform_int_distribution<uint64_t>(0, most)(random); };
  const PixelGrid grid = gridOf(array2D());
  const uint64_t all = grid.slices * grid.slicePitch;
  for (int round = 0; round < 2000; ++round) {
    const uint64_t begin = 4 * number(all / 4), size = 4 * number((all - begin) / 4), other = 4 * number(10);
    std::map<uint64_t, uint64_t> wanted, found; // of pixels: where in the image, and where elsewhere
    for (uint64_t at = begin; at < begin + size; at += 4)
      if (at % 24 < 20 && at % 96 < 72) wanted[at] = other + at - begin;
    for (const PixelBox &box : boxesOf(grid, {begin, 0, 0}, {other, 0, 0}, {size, 1, 1}))
      for (uint64_t z = 0; z < box.region[2]; ++z)
        for (uint64_t y = 0; y < box.region[1]; ++y)
          for (uint64_t x = 0; x < box.region[0]; ++x) {
            const uint64_t at = (box.origin[2] + z) * 96 + (box.origin[1] + y) * 24 + (box.origin[0] + x) * 4;
            const uint64_t there = box.other.offset + z * box.other.slicePitch + y * box.other.rowPitch + x * 4;
            EXPECT_TRUE(found.emplace(at, there).second) << at << " is in two boxes";
          }
    ASSERT_EQ(found, wanted) << size << " bytes from " << begin;
  }
}

TEST(ImageLayout, AWholeImageIsFewBoxes) {
  const PixelGrid grid = gridOf(array2D());
  EXPECT_EQ(boxesOf(grid, {}, {}, {4 * 96, 1, 1}).size(), 1u);
  // To the end of the last pixel only, as a copy of all its boxes spans: a layer, two rows, and a part of one.
  EXPECT_EQ(boxesOf(grid, {}, {}, {3 * 96 + 2 * 24 + 20, 1, 1}).size(), 3u);
}

} // namespace
} // namespace us::forward
