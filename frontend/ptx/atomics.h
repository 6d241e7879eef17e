// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic updates of memory.
#pragma once

#include "frontend/ptx/function_translation.h"

namespace us::frontend::ptx {

/// Does what an instruction that names one operation of atom's says with a number of its type in memory. What was
/// there before.
llvm::Value *updateAtomically(FunctionTranslation &function, const Operation &operation, llvm::Value *pointer,
                              llvm::Value *value);

} // namespace us::frontend::ptx
