// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compare/element.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace us::compare {
namespace {

struct NamedElement {
  std::string_view name;
  ElementKind kind;
  uint32_t size;
};
constexpr NamedElement kNamed[] = {
    {"char", ElementKind::Signed, 1},     {"uchar", ElementKind::Unsigned, 1},  {"bool", ElementKind::Unsigned, 1},
    {"short", ElementKind::Signed, 2},    {"ushort", ElementKind::Unsigned, 2}, {"int", ElementKind::Signed, 4},
    {"uint", ElementKind::Unsigned, 4},   {"long", ElementKind::Signed, 8},     {"ulong", ElementKind::Unsigned, 8},
    {"size_t", ElementKind::Unsigned, 8}, {"half", ElementKind::Float, 2},      {"float", ElementKind::Float, 4},
    {"double", ElementKind::Float, 8},
};

/// IEEE 754's binary interchange formats: the sign is the highest bit, then comes the exponent.
struct FloatFormat {
  unsigned exponentBits, fractionBits;
  uint64_t bits(const std::byte *bytes) const {
    uint64_t word = 0;
    std::memcpy(&word, bytes, (1 + exponentBits + fractionBits) / 8);
    return word;
  }
  uint64_t sign() const { return uint64_t(1) << (exponentBits + fractionBits); }
  uint64_t infinity() const { return ((uint64_t(1) << exponentBits) - 1) << fractionBits; }
};

constexpr FloatFormat formatOf(uint32_t size) {
  return size == 2 ? FloatFormat{5, 10} : size == 4 ? FloatFormat{8, 23} : FloatFormat{11, 52};
}

template <class T> std::string numberText(T value) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

template <class T> std::string numberText(const std::byte *bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  if constexpr (sizeof(T) == 1) return numberText(static_cast<int>(value));
  return numberText(value);
}

std::string floatText(uint32_t size, const std::byte *bytes) {
  if (size == 8) return numberText<double>(bytes);
  if (size == 4) return numberText<float>(bytes);
  return numberText(static_cast<float>(floatValue(size, bytes)));
}

std::string integerText(bool isSigned, uint32_t size, const std::byte *bytes) {
  switch (size) {
  case 1:
    return isSigned ? numberText<int8_t>(bytes) : numberText<uint8_t>(bytes);
  case 2:
    return isSigned ? numberText<int16_t>(bytes) : numberText<uint16_t>(bytes);
  case 4:
    return isSigned ? numberText<int32_t>(bytes) : numberText<uint32_t>(bytes);
  default:
    return isSigned ? numberText<int64_t>(bytes) : numberText<uint64_t>(bytes);
  }
}

} // namespace

ElementType elementTypeNamed(std::string_view name) {
  if (name.ends_with('*')) name.remove_suffix(1);
  const size_t digits = name.find_first_of("0123456789");
  const std::string_view number = digits == name.npos ? "" : name.substr(digits);
  uint32_t lanes = 1;
  if (!number.empty()) {
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), lanes);
    if (error != std::errc() || end != number.data() + number.size() || lanes < 2 || lanes > 16) return {};
  }
  for (const NamedElement &known : kNamed)
    if (known.name == name.substr(0, digits)) return {known.kind, known.size, lanes, lanes == 3 ? 4 : lanes};
  return {};
}

uint64_t ulpDistance(uint32_t size, const std::byte *a, const std::byte *b) {
  const FloatFormat format = formatOf(size);
  const uint64_t bitsA = format.bits(a), bitsB = format.bits(b);
  const uint64_t magnitudeA = bitsA & ~format.sign(), magnitudeB = bitsB & ~format.sign();
  const bool isNanA = magnitudeA > format.infinity(), isNanB = magnitudeB > format.infinity();
  if (isNanA || isNanB) return isNanA && isNanB ? 0 : kFarApart;
  // Magnitudes count the numbers from zero on, in either direction.
  if ((bitsA ^ bitsB) & format.sign()) return magnitudeA + magnitudeB;
  return magnitudeA > magnitudeB ? magnitudeA - magnitudeB : magnitudeB - magnitudeA;
}

double floatValue(uint32_t size, const std::byte *bytes) {
  const FloatFormat format = formatOf(size);
  const uint64_t bits = format.bits(bytes), magnitude = bits & ~format.sign();
  const double sign = bits & format.sign() ? -1.0 : 1.0;
  if (magnitude > format.infinity()) return std::numeric_limits<double>::quiet_NaN();
  if (magnitude == format.infinity()) return sign * std::numeric_limits<double>::infinity();
  const uint64_t one = uint64_t(1) << format.fractionBits;
  const auto exponent = static_cast<int>(magnitude >> format.fractionBits);
  const uint64_t fraction = magnitude % one + (exponent ? one : 0);
  const int bias = (1 << (format.exponentBits - 1)) - 1;
  return sign * std::ldexp(static_cast<double>(fraction), (exponent ? exponent : 1) - bias - int(format.fractionBits));
}

bool isBelowNormal(uint32_t size, const std::byte *bytes) {
  const FloatFormat format = formatOf(size);
  return (format.bits(bytes) & ~format.sign()) >> format.fractionBits == 0;
}

bool looksLikeFloat(uint32_t size, const std::byte *bytes) {
  const FloatFormat format = formatOf(size);
  const auto exponent = static_cast<int>((format.bits(bytes) & ~format.sign()) >> format.fractionBits);
  const int bias = (1 << (format.exponentBits - 1)) - 1, reach = 64;
  return exponent > bias - reach && exponent < bias + reach;
}

std::string textOf(ElementKind kind, uint32_t size, const std::byte *bytes) {
  switch (kind) {
  case ElementKind::Float:
    return floatText(size, bytes);
  case ElementKind::Signed:
  case ElementKind::Unsigned:
    return integerText(kind == ElementKind::Signed, size, bytes);
  case ElementKind::Unknown:
    break;
  }
  uint64_t word = 0;
  std::memcpy(&word, bytes, size);
  char text[32];
  return "0x" + std::string(text, std::to_chars(text, text + sizeof text, word, 16).ptr);
}

} // namespace us::compare
