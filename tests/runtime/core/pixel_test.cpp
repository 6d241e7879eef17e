// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Colours as pixels: values worked out by hand from the specification's conversion rules.
#include "runtime/core/pixel.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace us::core {
namespace {

using enum ChannelType;
using Order = ChannelOrder;

template <class T, class Colour> std::vector<T> stored(ImageFormat format, size_t count, std::vector<Colour> colour) {
  const std::array<std::byte, 16> pixel = pixelOf(format, colour.data());
  std::vector<T> values(count);
  std::memcpy(values.data(), pixel.data(), count * sizeof(T));
  return values;
}

TEST(Pixel, NormalizedTypesSaturateAndRoundToEven) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  using Bytes = std::vector<uint8_t>;
  EXPECT_EQ((stored<uint8_t, float>({Order::RGBA, UnormInt8}, 4, {0, 1, 0.5f, 2})), (Bytes{0, 255, 128, 255}));
  EXPECT_EQ((stored<uint8_t, float>({Order::RGBA, UnormInt8}, 4, {-1, nan, infinity, -infinity})),
            (Bytes{0, 0, 255, 0}));
  // 0.5f * 255.0f is 127.5 and 0.1f * 255.0f is 25.5 in single precision: both go to the even neighbour.
  EXPECT_EQ((stored<uint8_t, float>({Order::R, UnormInt8}, 1, {0.1f, 0, 0, 0})), (Bytes{26}));
  EXPECT_EQ((stored<int8_t, float>({Order::RGBA, SnormInt8}, 4, {-1, 1, -2, 0.5f})),
            (std::vector<int8_t>{-127, 127, -128, 64}));
  EXPECT_EQ((stored<uint16_t, float>({Order::RG, UnormInt16}, 2, {1, 0.5f, 0, 0})),
            (std::vector<uint16_t>{65535, 32768}));
  EXPECT_EQ((stored<int16_t, float>({Order::RG, SnormInt16}, 2, {-1, -3, 0, 0})),
            (std::vector<int16_t>{-32767, -32768}));
}

TEST(Pixel, IntegersSaturate) {
  EXPECT_EQ((stored<int8_t, int32_t>({Order::RGBA, SignedInt8}, 4, {-1000, 1000, -5, 5})),
            (std::vector<int8_t>{-128, 127, -5, 5}));
  EXPECT_EQ((stored<uint8_t, uint32_t>({Order::RGBA, UnsignedInt8}, 4, {0xffffffff, 256, 255, 0})),
            (std::vector<uint8_t>{255, 255, 255, 0}));
  EXPECT_EQ((stored<int32_t, int32_t>({Order::RGBA, SignedInt32}, 4, {INT32_MIN, INT32_MAX, -1, 1})),
            (std::vector<int32_t>{INT32_MIN, INT32_MAX, -1, 1}));
  EXPECT_EQ((stored<uint32_t, uint32_t>({Order::R, UnsignedInt32}, 1, {0xfffffffe, 0, 0, 0})),
            (std::vector<uint32_t>{0xfffffffe}));
}

TEST(Pixel, FloatsAndHalves) {
  EXPECT_EQ((stored<float, float>({Order::RGBA, Float}, 4, {1.5f, -2, 1e30f, 0})),
            (std::vector<float>{1.5f, -2, 1e30f, 0}));
  // 65519 is below the midpoint between the largest half and the next power of two; 2^-25 is half of the least half.
  EXPECT_EQ((stored<uint16_t, float>({Order::RGBA, HalfFloat}, 4, {1, -2, 65519, 65520})),
            (std::vector<uint16_t>{0x3c00, 0xc000, 0x7bff, 0x7c00}));
  EXPECT_EQ((stored<uint16_t, float>({Order::RG, HalfFloat}, 2, {0x1p-24f, 0x1p-25f, 0, 0})),
            (std::vector<uint16_t>{1, 0}));
  EXPECT_EQ((stored<float, float>({Order::Depth, Float}, 1, {0.25f})), (std::vector<float>{0.25f}));
}

TEST(Pixel, OrdersPlaceTheirChannels) {
  const std::vector<uint32_t> colour = {1, 2, 3, 4};
  const struct {
    Order order;
    std::vector<uint8_t> bytes;
  } rows[] = {{Order::R, {1}},
              {Order::A, {4}},
              {Order::RG, {1, 2}},
              {Order::RA, {1, 4}},
              {Order::RGBA, {1, 2, 3, 4}},
              {Order::BGRA, {3, 2, 1, 4}},
              {Order::ARGB, {4, 1, 2, 3}},
              {Order::ABGR, {4, 3, 2, 1}}};
  for (const auto &row : rows)
    EXPECT_EQ((stored<uint8_t>({row.order, UnsignedInt8}, row.bytes.size(), colour)), row.bytes);
  EXPECT_EQ((stored<uint8_t, float>({Order::Luminance, UnormInt8}, 2, {1, 0, 0, 1})), (std::vector<uint8_t>{255, 0}));
  EXPECT_EQ((stored<uint8_t, float>({Order::Intensity, UnormInt8}, 2, {1, 0, 0, 1})), (std::vector<uint8_t>{255, 0}));
}

TEST(Pixel, PackedTypesBeginWithRedInTheHighBits) {
  using Words = std::vector<uint32_t>;
  EXPECT_EQ((stored<uint16_t, float>({Order::RGB, UnormShort565}, 1, {1, 0, 0, 0})), (std::vector<uint16_t>{0xf800}));
  EXPECT_EQ((stored<uint16_t, float>({Order::RGB, UnormShort565}, 1, {0, 1, 0, 0})), (std::vector<uint16_t>{0x07e0}));
  EXPECT_EQ((stored<uint16_t, float>({Order::RGBx, UnormShort555}, 1, {1, 0, 1, 1})), (std::vector<uint16_t>{0x7c1f}));
  EXPECT_EQ((stored<uint32_t, float>({Order::RGB, UnormInt101010}, 1, {1, 0, 9, 0})), (Words{0x3ff003ff}));
  EXPECT_EQ((stored<uint32_t, float>({Order::RGBA, UnormInt101010_2}, 1, {1, 0, 0, 1})), (Words{0xffc00003}));
  EXPECT_EQ((stored<uint32_t, float>({Order::RGBA, UnormInt101010_2}, 1, {0, 0, 1, -1})), (Words{0x00000ffc}));
}

TEST(Pixel, SRgbIsEncodedAlphaIsNot) {
  // 0.5 linear is 0.7354 encoded (188 of 255), 0.002 lies on the straight part: 0.02584 (6.59 of 255).
  EXPECT_EQ((stored<uint8_t, float>({Order::sRGBA, UnormInt8}, 4, {0.5f, 0.002f, 2, 0.5f})),
            (std::vector<uint8_t>{188, 7, 255, 128}));
  EXPECT_EQ((stored<uint8_t, float>({Order::sBGRA, UnormInt8}, 4, {1, 0, -1, 1})),
            (std::vector<uint8_t>{0, 0, 255, 255}));
}

} // namespace
} // namespace us::core
