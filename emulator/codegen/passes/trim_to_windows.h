// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// trim_to_windows — a loop over work-items, one after another, in which only those of a window have something to do,
/// begins and ends with it.
///
///   before:  for (i = 0; i != 16; ++i) if (d - i < 16 (unsigned)) body
///   after:   for (i = max(0, d - 15); i < min(16, d + 1); ++i) body
///
/// Diagonals of a tile are such windows: without this half of the turns are for nothing, and the branch is predicted
/// wrongly twice in each diagonal. Loops that became vectors stay as they are: theirs begin with whole ones.
///
/// Requires: behind the vectorizers; loops in simplified form.
struct TrimToWindows : llvm::PassInfoMixin<TrimToWindows> {
  explicit TrimToWindows(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
