// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What memory holds, element by element, and how far apart two elements are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace us::compare {

enum class ElementKind : uint8_t {
  Unknown, ///< words of 4 bytes that may be anything: structs, or memory that no argument's type describes
  Signed,
  Unsigned,
  Float,
};

struct ElementType {
  ElementKind kind = ElementKind::Unknown;
  uint32_t size = 4;   ///< bytes of a lane
  uint32_t lanes = 1;  ///< of a vector
  uint32_t stride = 1; ///< lanes from one vector to the next: a vector of three takes the room of four
  bool operator==(const ElementType &) const = default;
};

/// Of the name of an element or of a pointer to it: "float", "uchar4*". Unknown if it is none of the language's.
ElementType elementTypeNamed(std::string_view name);

/// What two elements can never be nearer than: one of them is a NaN.
inline constexpr uint64_t kFarApart = UINT64_MAX;

/// How many floating-point numbers lie between the two, the second one included: 0 for equal values, also of zeros with
/// different signs and of any two NaNs. Both have `size` bytes: 2, 4 or 8, IEEE 754's binary formats.
uint64_t ulpDistance(uint32_t size, const std::byte *a, const std::byte *b);

/// The number that a float of 2, 4 or 8 bytes is.
double floatValue(uint32_t size, const std::byte *bytes);
/// True if its magnitude is below that of the least normal number.
bool isBelowNormal(uint32_t size, const std::byte *bytes);
/// True if such a number could well have been computed: neither tiny nor huge, as other things are that are taken for
/// floats. Integers of a small magnitude are none.
bool looksLikeFloat(uint32_t size, const std::byte *bytes);

/// A lane for a person: "1.5", "-3", "0x3f800000".
std::string textOf(ElementKind kind, uint32_t size, const std::byte *bytes);

} // namespace us::compare
