// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The builtin library: bitcode of every family, embedded, and the index that says which family defines a symbol.
#pragma once
#include <span>
#include <string_view>

namespace us::builtins {

/// One family: a module of kernel IR (docs/ir-conventions.md), already retargeted to the host and lightly optimised.
struct BuiltinFamily {
  std::string_view name;         ///< "math/atan2"
  std::span<const char> bitcode; ///< 16-byte aligned, lives as long as the process
};

/// Every family; the position is the family's number.
std::span<const BuiltinFamily> builtinFamilies();

/// The number of the family that defines this symbol (Clang's mangled name), -1 if none. A family may itself refer to
/// symbols of other families: whoever links repeats the lookup until nothing is undefined that the library knows.
int familyOf(std::string_view mangledName);

} // namespace us::builtins
