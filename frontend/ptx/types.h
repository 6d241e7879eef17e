// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's fundamental types, and where something stands in the text.
#pragma once

#include "runtime/base/expected.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace us::frontend::ptx {

/// Both count from 1.
struct Place {
  uint32_t line = 0, column = 0;
};

/// The error of a text: "<ptx>:LINE:COLUMN: MESSAGE".
[[nodiscard]] std::unexpected<Error> failAt(Place place, const std::string &message);

enum class TypeClass : uint8_t { Predicate, Bits, Unsigned, Signed, Float, BrainFloat, Packed };

struct ScalarType {
  std::string_view name;
  TypeClass kind;
  uint32_t bits;

  bool isFloat() const { return kind == TypeClass::Float || kind == TypeClass::BrainFloat; }
  bool isSigned() const { return kind == TypeClass::Signed; }
  bool isInteger() const { return kind == TypeClass::Signed || kind == TypeClass::Unsigned; }
  uint32_t bytes() const { return (bits + 7) / 8; }
};
/// A row of the table of types; compared by address.
using Type = const ScalarType *;

/// Null if no type has that name (written without the dot).
Type typeNamed(std::string_view name);
/// The type of that class and size; null if there is none.
Type typeOf(TypeClass kind, uint32_t bits);

/// "an operand's type must agree with the instruction's": bits agree with everything of their size, integers with each
/// other, floats with themselves. `relaxed` (ld, st, cvt): the register may be wider.
bool agrees(Type instruction, Type reg, bool relaxed);

} // namespace us::frontend::ptx
