// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// form_long_turns — a loop that stayed scalar, and does so little that counting turns is a large part of it, does
/// four in one: loops over work-items, and those of which it is known that nothing is left over.
///
///   before:  for x < n { %i = load …; add to place %i }
///   after:   for x + 3 < n, by 4 { … of x … of x + 1 … of x + 2 … of x + 3 }   for the rest { … }
///
/// Requires: vectors have been made where there are any.
struct FormLongTurns : llvm::PassInfoMixin<FormLongTurns> {
  explicit FormLongTurns(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
