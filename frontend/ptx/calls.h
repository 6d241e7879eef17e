// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device functions (.func) and how they are called: results are written through pointers to memory of the caller's,
// which come first; then the parameters, numbers as numbers and arrays as byval bytes. The IR function says whether the
// thread has ended, where the module has functions that end it.
#pragma once

#include "frontend/ptx/grammar.h"
#include "frontend/ptx/translation.h"

#include <optional>

namespace us::frontend::ptx {

/// What the caller of a function must know: a .func, or a .callprototype.
struct Signature {
  const std::vector<Variable> &results, &parameters;
};

/// True for what is passed by value as bytes: arrays and vectors.
bool isBlob(const Variable &parameter);
/// The LLVM types of parameters.
Expected<std::vector<llvm::Type *>> parameterTypes(Translation &translation, const std::vector<Variable> &parameters);
/// The IR function of a .func, declared if it is not there yet. Its name begins with "ptx." so that it is no builtin's.
Expected<llvm::Function *> functionFor(Translation &translation, const FunctionText &text);
/// The function of that name or alias, one with a body if there are several declarations; null if there is none.
const FunctionText *findFunction(const Translation &translation, std::string_view name);
/// What a pointer to the function, or to the kernel, of that name holds; nothing if there is neither.
std::optional<uint64_t> addressOfFunction(const Translation &translation, std::string_view name);
/// Notes which functions have their address taken, whether any of them ends threads, and what barriers there are.
void surveyFunctions(Translation &translation);

Expected<void> callFunction(FunctionTranslation &function, const Operation &operation);

} // namespace us::frontend::ptx
