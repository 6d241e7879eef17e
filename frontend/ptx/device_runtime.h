// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's device runtime: what kernels call to launch kernels (docs/decisions/0035-dynamic-parallelism.md).
#pragma once

#include "frontend/ptx/function_translation.h"

namespace us::frontend::ptx {

/// True if the name is one of the device runtime's.
bool isDeviceRuntime(std::string_view name);

/// Translates a call of such a function; `arguments` as in callDeviceFunction.
Expected<void> callDeviceRuntime(FunctionTranslation &function, const FunctionText &callee,
                                 llvm::ArrayRef<llvm::Value *> arguments);

} // namespace us::frontend::ptx
