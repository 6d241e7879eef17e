// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every pass of ours by name (passes.def), for us-opt.
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// Appends the pass of that name; false if there is none.
bool addPassByName(llvm::StringRef name, const KernelRequest &request, llvm::ModulePassManager &passes);

} // namespace us::codegen
