// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// transpose_row_walks — what work-items side by side gather from rows of their own, an element a turn, is loaded from
/// each row for as many turns as there are lanes, and transposed.
///
///   before:  for (j = 0; j < n; ++j) { x = gather(rows + j)  … }
///   after:   for (j = 0; j + 15 < n; j += 16) { r0 = load <16>, rows[0] + j  …  r15 = load <16>, rows[15] + j
///                                               x0 … x15 = transposed(r0 … r15)  … of x0  … of x15 }
///            for the rest { as before }
///
/// The same elements are read, by a sixteenth of the loads; and rows that lie a multiple of 4 KiB apart, which no first
/// cache holds all of, are read a line at once. Rows are what is left of a place without its last index. Nothing is
/// written in such a loop but buffers while rows lie in local memory, or the other way round; it may have been
/// unrolled.
///
/// Requires: vectors have been made.
struct TransposeRowWalks : llvm::PassInfoMixin<TransposeRowWalks> {
  explicit TransposeRowWalks(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
