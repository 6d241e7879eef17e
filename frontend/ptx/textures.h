// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the instructions of textures and those of surfaces share.
#pragma once

#include "frontend/ptx/grammar.h"
#include "frontend/ptx/translation.h"

namespace us::frontend::ptx {

/// The handle of a texture, sampler or surface: a register, a parameter, or a variable of that kind.
Expected<llvm::Value *> handleNamed(FunctionTranslation &function, const Operand &operand, StateSpace space);
/// The last element of an address: a layer first where there is one; 1d takes a scalar too.
Expected<std::vector<llvm::Value *>> coordinatesOf(FunctionTranslation &function, const Operand &address,
                                                   unsigned count, unsigned elements, bool hasLayer, Type type);
/// A function of the builtin family opencl/texture.
llvm::Value *callTextureFunction(FunctionTranslation &function, const std::string &name, llvm::Type *result,
                                 llvm::ArrayRef<llvm::Value *> arguments);
/// Four channels of 32 bits as the instruction's type.
Expected<void> defineTexel(FunctionTranslation &function, const Operation &operation, llvm::Value *texel);

/// Names of texture, sampler and surface variables in the module, which nothing else can have.
constexpr std::string_view kOpaqueKinds[] = {"texref", "samplerref", "surfref"};
/// The initial content of such a variable, from its fields.
Expected<llvm::Constant *> opaqueValue(Translation &translation, const Variable &variable);

} // namespace us::frontend::ptx
