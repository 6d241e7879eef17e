// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What OpenCL C calls a SPIR-V type, and how Clang mangles it. SPIR-V's integers have no sign: whoever asks says it.
#pragma once

#include "frontend/spirv/types.h"

namespace us::frontend::spirv {

enum class Sign : uint8_t { Signed, Unsigned };

/// "uchar4", "float", "int*"; structs by their name.
std::string typeName(const Type &type, Sign sign = Sign::Signed);
/// The same as Clang's kernel_arg_base_type has it: "float __attribute__((ext_vector_type(4)))*".
std::string baseTypeName(const Type &type);

/// One argument of a builtin function, for its mangled name.
struct MangledArgument {
  const Type *type = nullptr;
  Sign sign = Sign::Signed;
  bool constPointee = false;
  std::string_view encoding{}; ///< instead of a type: what Clang writes for it, e.g. "12memory_scope"
};

/// The Itanium name of an overloaded OpenCL C function, as Clang writes it for spir64.
std::string mangledName(std::string_view function, std::span<const MangledArgument> arguments);

} // namespace us::frontend::spirv
