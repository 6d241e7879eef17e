// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function that the executor calls, in either tier.
#pragma once

#include "emulator/abi/targets.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Function.h>

namespace us::codegen {

/// For a target: an empty function with these parameters that takes name, attributes and debug scope of the kernel.
llvm::Function &createEntry(llvm::Function &kernel, abi::Target target, llvm::ArrayRef<llvm::Type *> parameters);

} // namespace us::codegen
