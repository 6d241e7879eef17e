// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device functions (.func) and how they are called: results are written through pointers to the caller's .param
// variables, which come first; then the parameters, numbers as numbers and arrays as byval bytes.
#pragma once

#include "frontend/ptx/grammar.h"
#include "frontend/ptx/translation.h"

namespace us::frontend::ptx {

/// True for what is passed by value as bytes: arrays and vectors.
bool isBlob(const Variable &parameter);
/// The LLVM types of parameters.
Expected<std::vector<llvm::Type *>> parameterTypes(Translation &translation, const std::vector<Variable> &parameters);
/// The IR function of a .func, declared if it is not there yet. Its name begins with "ptx." so that it is no builtin's.
Expected<llvm::Function *> functionFor(Translation &translation, const FunctionText &text);

Expected<void> callFunction(FunctionTranslation &function, const Operation &operation);

} // namespace us::frontend::ptx
