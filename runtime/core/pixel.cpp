// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/pixel.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace us::core {
namespace {

/// Which component of the colour (0 red … 3 alpha) each stored channel takes, by ChannelOrder; -1: no such channel.
constexpr int8_t kChannels[][4] = {
    {0, -1, -1, -1}, // R
    {3, -1, -1, -1}, // A
    {0, 1, -1, -1},  // RG
    {0, 3, -1, -1},  // RA
    {0, 1, 2, -1},   // RGB
    {0, 1, 2, 3},    // RGBA
    {2, 1, 0, 3},    // BGRA
    {3, 0, 1, 2},    // ARGB
    {0, -1, -1, -1}, // Intensity
    {0, -1, -1, -1}, // Luminance
    {0, -1, -1, -1}, // Rx
    {0, 1, -1, -1},  // RGx
    {0, 1, 2, -1},   // RGBx
    {0, -1, -1, -1}, // Depth
    {0, -1, -1, -1}, // DepthStencil
    {0, 1, 2, -1},   // sRGB
    {0, 1, 2, -1},   // sRGBx
    {0, 1, 2, 3},    // sRGBA
    {2, 1, 0, 3},    // sBGRA
    {3, 2, 1, 0},    // ABGR
};

template <class T> T componentOf(const void *colour, int index) {
  T value;
  std::memcpy(&value, static_cast<const std::byte *>(colour) + index * sizeof value, sizeof value);
  return value;
}

/// "convert_<type>_sat_rte(f * scale)"; the rounding mode of the calling thread does not matter. NaN gives 0.
int64_t normalized(float f, float scale, int64_t least, int64_t most) {
  const double scaled = static_cast<double>(f * scale);
  if (!(scaled > static_cast<double>(least))) return std::isnan(scaled) ? 0 : least;
  if (scaled >= static_cast<double>(most)) return most;
  // Halfway cases are exact in double precision: to even.
  const double down = std::floor(scaled), rest = scaled - down;
  const auto whole = static_cast<int64_t>(down);
  return whole + (rest > 0.5 || (rest == 0.5 && whole % 2 != 0));
}

/// "linear RGB color values are converted to sRGB": the formula of section "Conversion rules for sRGBA and sBGRA".
float sRgbOf(float linear) {
  if (!(linear > 0)) return 0; // NaN, too
  if (linear > 1) return 1;
  return linear < 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1.0f / 2.4f) - 0.055f;
}

bool isSRgb(ChannelOrder order) { return order == ChannelOrder::sRGBA || order == ChannelOrder::sBGRA; }

template <class T> void store(std::byte *to, int64_t value) {
  const T narrow = static_cast<T>(value);
  std::memcpy(to, &narrow, sizeof narrow);
}
template <class T, class Wide> void storeSaturated(std::byte *to, const void *colour, int index) {
  const auto value = static_cast<int64_t>(componentOf<Wide>(colour, index));
  store<T>(to, std::clamp<int64_t>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}
template <class T> void storeNormalized(std::byte *to, const void *colour, int index) {
  using Limits = std::numeric_limits<T>;
  store<T>(to, normalized(componentOf<float>(colour, index), static_cast<float>(Limits::max()), Limits::min(),
                          Limits::max()));
}
void storeHalf(std::byte *to, const void *colour, int index) {
  const auto half = static_cast<_Float16>(componentOf<float>(colour, index));
  std::memcpy(to, &half, sizeof half);
}
void storeFloat(std::byte *to, const void *colour, int index) {
  std::memcpy(to, static_cast<const std::byte *>(colour) + index * sizeof(float), sizeof(float));
}

/// How a channel of a plain type is stored, by ChannelType; null for packed types.
struct TypeRow {
  uint32_t bytes;
  void (*store)(std::byte *to, const void *colour, int index);
};
constexpr TypeRow kTypes[] = {
    {1, storeNormalized<int8_t>},            // SnormInt8
    {2, storeNormalized<int16_t>},           // SnormInt16
    {1, storeNormalized<uint8_t>},           // UnormInt8
    {2, storeNormalized<uint16_t>},          // UnormInt16
    {0, nullptr},                            // UnormShort565
    {0, nullptr},                            // UnormShort555
    {0, nullptr},                            // UnormInt101010
    {1, storeSaturated<int8_t, int32_t>},    // SignedInt8
    {2, storeSaturated<int16_t, int32_t>},   // SignedInt16
    {4, storeSaturated<int32_t, int32_t>},   // SignedInt32
    {1, storeSaturated<uint8_t, uint32_t>},  // UnsignedInt8
    {2, storeSaturated<uint16_t, uint32_t>}, // UnsignedInt16
    {4, storeSaturated<uint32_t, uint32_t>}, // UnsignedInt32
    {2, storeHalf},                          // HalfFloat
    {4, storeFloat},                         // Float
    {0, nullptr},                            // UnormInt24
    {0, nullptr},                            // UnormInt101010_2
};

/// Bits of red, green, blue and alpha of a packed type, the first in the most significant place that is used.
struct PackedRow {
  ChannelType type;
  uint32_t bytes, bits[4];
};
constexpr PackedRow kPacked[] = {
    {ChannelType::UnormShort565, 2, {5, 6, 5, 0}},
    {ChannelType::UnormShort555, 2, {5, 5, 5, 0}},
    {ChannelType::UnormInt101010, 4, {10, 10, 10, 0}},
    {ChannelType::UnormInt101010_2, 4, {10, 10, 10, 2}},
};

} // namespace

std::array<std::byte, 16> pixelOf(const ImageFormat &format, const void *colour) {
  std::array<std::byte, 16> pixel{};
  for (const PackedRow &row : kPacked) {
    if (row.type != format.type) continue;
    uint32_t word = 0;
    for (int channel = 0; channel < 4; ++channel) {
      const uint32_t most = (1u << row.bits[channel]) - 1;
      if (most)
        word = word << row.bits[channel] | static_cast<uint32_t>(normalized(componentOf<float>(colour, channel),
                                                                            static_cast<float>(most), 0, most));
    }
    std::memcpy(pixel.data(), &word, row.bytes);
    return pixel;
  }
  float encoded[4];
  if (isSRgb(format.order)) {
    for (int i = 0; i < 4; ++i) {
      encoded[i] = componentOf<float>(colour, i);
      if (i < 3) encoded[i] = sRgbOf(encoded[i]);
    }
    colour = encoded;
  }
  const TypeRow &type = kTypes[static_cast<size_t>(format.type)];
  std::byte *to = pixel.data();
  for (int8_t component : kChannels[static_cast<size_t>(format.order)]) {
    if (component < 0) break;
    type.store(to, colour, component);
    to += type.bytes;
  }
  return pixel;
}

} // namespace us::core
