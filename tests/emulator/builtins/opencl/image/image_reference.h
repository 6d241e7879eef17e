// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images after the specification's text, in double precision and one channel at a time: formats as tables of channel
// letters and numbers, addressing and filters as the formulas are printed. Nothing is shared with the builtin library.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "emulator/abi/image_abi.h"
#include "runtime/device/image.h"

namespace us::test {

using Color = std::array<double, 4>;
using Place = std::array<int, 3>;
using Coordinates = std::array<float, 3>;

struct OrderRow {
  ChannelOrder order;
  std::string_view memory; ///< channels as they lie in memory; I: intensity, L: luminance
  double borderAlpha;      ///< "border color"
  bool srgb = false;
};
inline constexpr OrderRow kOrders[] = {
    {ChannelOrder::R, "R", 1},
    {ChannelOrder::A, "A", 0},
    {ChannelOrder::RG, "RG", 1},
    {ChannelOrder::RA, "RA", 0},
    {ChannelOrder::RGB, "RGB", 1},
    {ChannelOrder::RGBA, "RGBA", 0},
    {ChannelOrder::BGRA, "BGRA", 0},
    {ChannelOrder::ARGB, "ARGB", 0},
    {ChannelOrder::ABGR, "ABGR", 0},
    {ChannelOrder::Intensity, "I", 0},
    {ChannelOrder::Luminance, "L", 1},
    {ChannelOrder::RGBx, "RGB", 0},
    {ChannelOrder::Depth, "R", 1},
    {ChannelOrder::sRGBA, "RGBA", 0, true},
    {ChannelOrder::sBGRA, "BGRA", 0, true},
};
inline const OrderRow &orderRow(ChannelOrder order) { return *std::ranges::find(kOrders, order, &OrderRow::order); }

enum class Meaning { Unorm, Snorm, Float, Half, Signed, Unsigned };
struct TypeRow {
  ChannelType type;
  Meaning meaning;
  int bits;                    ///< of a channel; packed types: of the pixel
  std::array<int, 4> packed{}; ///< bits of each channel, the first one most significant; empty: not packed
  int spare = 0;               ///< packed: unused bits above
};
inline constexpr TypeRow kTypes[] = {
    {ChannelType::SnormInt8, Meaning::Snorm, 8},
    {ChannelType::SnormInt16, Meaning::Snorm, 16},
    {ChannelType::UnormInt8, Meaning::Unorm, 8},
    {ChannelType::UnormInt16, Meaning::Unorm, 16},
    {ChannelType::UnormShort565, Meaning::Unorm, 16, {5, 6, 5, 0}},
    {ChannelType::UnormShort555, Meaning::Unorm, 16, {5, 5, 5, 0}, 1},
    {ChannelType::UnormInt101010, Meaning::Unorm, 32, {10, 10, 10, 0}, 2},
    {ChannelType::UnormInt101010_2, Meaning::Unorm, 32, {10, 10, 10, 2}},
    {ChannelType::SignedInt8, Meaning::Signed, 8},
    {ChannelType::SignedInt16, Meaning::Signed, 16},
    {ChannelType::SignedInt32, Meaning::Signed, 32},
    {ChannelType::UnsignedInt8, Meaning::Unsigned, 8},
    {ChannelType::UnsignedInt16, Meaning::Unsigned, 16},
    {ChannelType::UnsignedInt32, Meaning::Unsigned, 32},
    {ChannelType::HalfFloat, Meaning::Half, 16},
    {ChannelType::Float, Meaning::Float, 32},
};
inline const TypeRow &typeRow(ChannelType type) { return *std::ranges::find(kTypes, type, &TypeRow::type); }

/// The numbers that lie in a pixel, unsigned.
inline std::array<uint32_t, 4> codesOf(const ImageFormat &format, const std::byte *pixel) {
  const TypeRow &type = typeRow(format.type);
  std::array<uint32_t, 4> codes{};
  if (type.packed[0]) {
    uint32_t word = 0;
    std::memcpy(&word, pixel, type.bits / 8);
    int shift = type.bits - type.spare;
    for (int c = 0; c < 4; ++c) codes[c] = word >> (shift -= type.packed[c]) & ((1u << type.packed[c]) - 1);
  } else {
    for (size_t c = 0; c < orderRow(format.order).memory.size(); ++c)
      std::memcpy(&codes[c], pixel + c * type.bits / 8, type.bits / 8);
  }
  return codes;
}

inline double halfValue(uint32_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return bits >> 15 ? -magnitude : magnitude;
}
inline double srgbToLinear(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }
inline double linearToSrgb(double c) {
  if (!(c > 0)) return 0;
  if (c > 1) return 1;
  return c < 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
}

inline double channelValue(const TypeRow &type, int bits, uint32_t code) {
  const double most = std::ldexp(1.0, bits) - 1, half = std::ldexp(1.0, bits - 1);
  const double negative = code >= half ? code - most - 1 : code;
  switch (type.meaning) {
  case Meaning::Unorm:
    return code / most;
  case Meaning::Snorm: // "-128 and -127: -1.0f"
    return std::max(negative / (half - 1), -1.0);
  case Meaning::Float:
    return std::bit_cast<float>(code);
  case Meaning::Half:
    return halfValue(code);
  case Meaning::Signed:
    return negative;
  case Meaning::Unsigned:
    return code;
  }
  return 0;
}

/// A pixel as the language sees it.
inline Color decode(const ImageFormat &format, const std::byte *pixel) {
  const OrderRow &order = orderRow(format.order);
  const TypeRow &type = typeRow(format.type);
  const std::array<uint32_t, 4> codes = codesOf(format, pixel);
  Color color{0, 0, 0, order.memory.find_first_of("AI") == order.memory.npos ? 1.0 : 0.0};
  for (size_t c = 0; c < order.memory.size(); ++c) {
    const int bits = type.packed[0] ? type.packed[c] : type.bits;
    double value = channelValue(type, bits, codes[c]);
    if (order.srgb && order.memory[c] != 'A') value = srgbToLinear(value);
    if (order.memory[c] == 'I') color = {value, value, value, value};
    if (order.memory[c] == 'L') color[0] = color[1] = color[2] = value;
    if (size_t at = std::string_view("RGBA").find(order.memory[c]); at < 4) color[at] = value;
  }
  return color;
}
inline Color borderColor(const ImageFormat &format) { return {0, 0, 0, orderRow(format.order).borderAlpha}; }

/// "round to nearest even" of a double.
inline double rounded(double x) { return std::nearbyint(x); }

/// A colour as the numbers of a pixel; a channel that is not a number has code 0.
inline uint32_t channelCode(const TypeRow &type, int bits, double value) {
  const double most = std::ldexp(1.0, bits) - 1, half = std::ldexp(1.0, bits - 1);
  auto within = [](double x, double low, double high) { return std::isnan(x) ? 0 : std::clamp(x, low, high); };
  switch (type.meaning) {
  case Meaning::Unorm: // "convert_uchar_sat_rte(f * 255.0f)": the product is a float
    return uint32_t(rounded(within(float(value) * float(most), 0, most)));
  case Meaning::Snorm:
    return uint32_t(int32_t(rounded(within(float(value) * float(half - 1), -half, half - 1))));
  case Meaning::Float:
    return std::bit_cast<uint32_t>(float(value));
  case Meaning::Half:
    return std::bit_cast<uint16_t>(_Float16(float(value)));
  case Meaning::Signed:
    return uint32_t(int32_t(within(value, -half, half - 1)));
  case Meaning::Unsigned:
    return uint32_t(within(value, 0, most));
  }
  return 0;
}
inline void encode(const ImageFormat &format, const Color &color, std::byte *pixel) {
  const OrderRow &order = orderRow(format.order);
  const TypeRow &type = typeRow(format.type);
  uint32_t word = 0;
  int shift = type.bits - type.spare;
  for (size_t c = 0; c < order.memory.size(); ++c) {
    const size_t at = std::string_view("RGBA").find(order.memory[c]);
    double value = color[at < 4 ? at : 0]; // "intensity, luminance: the red component"
    if (order.srgb && at < 3) value = linearToSrgb(value);
    const uint32_t code = channelCode(type, type.packed[0] ? type.packed[c] : type.bits, value);
    if (type.packed[0])
      word |= code << (shift -= type.packed[c]);
    else
      std::memcpy(pixel + c * type.bits / 8, &code, type.bits / 8);
  }
  if (type.packed[0]) std::memcpy(pixel, &word, type.bits / 8);
}

/// An image with contents, and what the specification says of reading it.
struct ReferenceImage {
  ImageDescription what;
  const std::byte *data = nullptr;

  int dimensions() const {
    return what.kind == ImageKind::Image3D                                           ? 3
           : what.kind == ImageKind::Image2D || what.kind == ImageKind::Image2DArray ? 2
                                                                                     : 1;
  }
  bool isArray() const { return what.kind == ImageKind::Image1DArray || what.kind == ImageKind::Image2DArray; }
  int size(int d) const { return int(d == 0 ? what.width : d == 1 ? what.height : what.depth); }

  /// Integer coordinates as the language takes them as (x, y, slice or layer).
  Place placeOf(const Place &at) const { return what.kind == ImageKind::Image1DArray ? Place{at[0], 0, at[1]} : at; }
  /// The pixel (x, y, slice or layer).
  const std::byte *pixel(const Place &at) const {
    return data + at[0] * what.elementSize + at[1] * what.rowPitch + at[2] * what.slicePitch;
  }
  /// "If any of the selected T ... refers to a location outside the image, the border color is used".
  Color texel(const Place &at, int layer) const {
    Place place{0, 0, layer};
    for (int d = 0; d < dimensions(); ++d) {
      if (at[d] < 0 || at[d] >= size(d)) return borderColor(what.format);
      place[d] = at[d];
    }
    return decode(what.format, pixel(place));
  }

  /// Coordinates as the language takes them: a layer follows the coordinates proper.
  Color read(const SamplerDescription &sampler, const Coordinates &at) const {
    const int layer = isArray() ? std::clamp(int(std::rint(at[dimensions()])), 0, int(what.arraySize) - 1) : 0;
    const bool linear = sampler.filter == FilterMode::Linear;
    Place low{}, high{};
    double part[3] = {};
    for (int d = 0; d < dimensions(); ++d) {
      auto [first, second, a] = address(sampler, at[d], size(d), linear);
      low[d] = first, high[d] = second, part[d] = a;
    }
    if (!linear) return texel(low, layer);
    Color sum{};
    for (int corner = 0; corner < 1 << dimensions(); ++corner) {
      Place place{};
      double weight = 1;
      for (int d = 0; d < dimensions(); ++d) {
        const bool second = corner >> d & 1;
        place[d] = second ? high[d] : low[d];
        weight *= second ? part[d] : 1 - part[d];
      }
      const Color color = texel(place, layer);
      for (int c = 0; c < 4; ++c) sum[c] += weight * color[c];
    }
    return sum;
  }

  Color readInteger(const SamplerDescription &sampler, const Place &at) const {
    Place place{};
    for (int d = 0; d < dimensions(); ++d)
      place[d] = sampler.addressing == AddressingMode::Clamp ? at[d] : std::clamp(at[d], 0, size(d) - 1);
    return texel(place, isArray() ? std::clamp(at[dimensions()], 0, int(what.arraySize) - 1) : 0);
  }

private:
  struct Address {
    int low, high;
    double part;
  };
  static Address address(const SamplerDescription &sampler, double s, int w, bool linear) {
    const AddressingMode mode = sampler.addressing;
    const double shift = linear ? 0.5 : 0.0;
    if (mode == AddressingMode::Repeat) {
      const double u = (s - std::floor(s)) * w;
      int i0 = int(std::floor(u - shift)), i1 = i0 + 1;
      if (!linear) return {i0 > w - 1 ? i0 - w : i0, 0, 0};
      if (i0 < 0) i0 = w + i0;
      if (i1 > w - 1) i1 = i1 - w;
      return {i0, i1, u - 0.5 - std::floor(u - 0.5)};
    }
    if (mode == AddressingMode::MirroredRepeat) {
      const double u = std::fabs(s - 2.0 * std::rint(0.5 * s)) * w;
      const int i0 = int(std::floor(u - shift));
      if (!linear) return {std::min(i0, w - 1), 0, 0};
      return {std::max(i0, 0), std::min(i0 + 1, w - 1), u - 0.5 - std::floor(u - 0.5)};
    }
    const double u = sampler.normalizedCoordinates ? s * w : s;
    auto mapped = [&](double i) {
      if (mode == AddressingMode::Clamp) return int(std::clamp(i, -1.0, double(w)));
      return int(std::clamp(i, 0.0, double(w - 1)));
    };
    const double i0 = std::floor(u - shift);
    return {mapped(i0), mapped(i0 + 1), u - 0.5 - std::floor(u - 0.5)};
  }
};

} // namespace us::test
