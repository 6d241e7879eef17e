// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// ask_before_rows — what ends all work-items of a row alike, before they have done anything, is asked before the row.
///
///   before:  for (i = 0; i != n; ++i) { if (x == k || y == k) continue; … }       x = first + i
///   after:   if (y != k) for (i = 0; i != n; ++i) { if (x == k) continue; … }
///
/// In the loop vectorizers would make masks of it.
///
/// Requires: loops in simplified form, what does not change in the loop outside of it (LICM).
struct AskBeforeRows : llvm::PassInfoMixin<AskBeforeRows> {
  explicit AskBeforeRows(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
