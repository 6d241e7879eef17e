// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of the builtin library, by the names that Clang would give.
#pragma once

#include "frontend/spirv/function_translation.h"
#include "frontend/spirv/type_names.h"

namespace us::frontend::spirv {

struct BuiltinArgument {
  llvm::Value *value = nullptr;
  MangledArgument mangled;
};

/// A SPIR-V value as an argument.
inline BuiltinArgument argumentOf(const Value &value, Sign sign = Sign::Signed, bool constPointee = false) {
  return {value.llvm, {value.type, sign, constPointee, {}}};
}
/// A value whose type Clang would write so ("j" for uint, "12memory_scope").
inline BuiltinArgument argumentOf(llvm::Value *value, std::string_view encoding) {
  return {value, {nullptr, Sign::Signed, false, encoding}};
}

/// Calls the overload of an OpenCL C function.
Expected<llvm::Value *> callBuiltin(FunctionTranslation &function, const Instruction &instruction,
                                    std::string_view name, llvm::Type *result,
                                    std::span<const BuiltinArgument> arguments);
/// Calls a function by its symbol.
Expected<llvm::Value *> callSymbol(FunctionTranslation &function, const Instruction &instruction,
                                   std::string_view symbol, llvm::Type *result,
                                   llvm::ArrayRef<llvm::Value *> arguments);

/// What a built-in variable holds.
Expected<llvm::Value *> builtInValue(FunctionTranslation &function, const Instruction &instruction,
                                     const BuiltInVariable &variable);

/// A sampler from OpenCL C's literal.
Expected<llvm::Value *> samplerFromLiteral(FunctionTranslation &function, const Instruction &instruction,
                                           uint32_t literal, llvm::Type *type);

} // namespace us::frontend::spirv
