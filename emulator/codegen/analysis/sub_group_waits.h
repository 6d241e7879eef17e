// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/abi/compiler_api.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// Whether the work-items of a sub-group are together again wherever it does something as one, though some may have
/// waited for memory to change (us.yield): either all of it wait, or there is a barrier before.
bool waitsTogether(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses,
                   const abi::Specialization &specialization);

} // namespace us::codegen
