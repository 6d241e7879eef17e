// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that CUDA's ABI gives device code, and that modules only declare: vprintf, malloc, free, __assertfail,
// and those of the device runtime.
#pragma once

#include "frontend/ptx/function_translation.h"

namespace us::frontend::ptx {

/// Translates a call of a function that has no body; `arguments` are those of an IR function of that shape, results
/// first. An error if the device has no such function.
Expected<void> callDeviceFunction(FunctionTranslation &function, const FunctionText &callee, Place place,
                                  llvm::ArrayRef<llvm::Value *> arguments);

} // namespace us::frontend::ptx
