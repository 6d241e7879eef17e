// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses as operands.
#pragma once

#include "frontend/ptx/function_translation.h"

namespace us::frontend::ptx {

/// The address of a variable in its own space, with 64 bits; null if the operand is something else.
Expected<llvm::Value *> addressOfVariable(FunctionTranslation &function, const Operand &operand);

} // namespace us::frontend::ptx
