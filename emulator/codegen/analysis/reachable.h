// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel can reach: functions and module variables, through code and through constants.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>

namespace llvm {
class Function;
class GlobalVariable;
} // namespace llvm

namespace us::codegen {

struct Reachable {
  llvm::SmallPtrSet<llvm::Function *, 16> functions;
  llvm::SmallPtrSet<llvm::GlobalVariable *, 16> variables;
};

/// Reads the bodies of lazily loaded functions on the way.
Reachable reachableFrom(llvm::Function &root);

} // namespace us::codegen
