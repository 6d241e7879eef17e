// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// settle_turns — a loop that turns as often for all work-items, though each begins elsewhere, counts its turns.
///
///   before:  for (i = local_id; i < 1024; i += 256)                       local_id is below 256
///   after:   for (i = local_id, turn = 0; turn != 4; i += 256, ++turn)
///
/// So work-groups fill local memory together. LLVM's scalar evolution knows the range of the number of turns, but takes
/// a number for constant only if no value is in it.
struct SettleTurns : llvm::PassInfoMixin<SettleTurns> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
  static bool isRequired() { return true; }
};

} // namespace us::codegen
