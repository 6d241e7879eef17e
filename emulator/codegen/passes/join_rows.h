// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// join_rows — rows of work-items, two or four at a time, instruction by instruction, where they share much of what
/// they read.
///
///   before:  for (y = 0; y != 16; ++y) { s = sums[y]; for (k…) s += splat(p[y][k]) * q[k]; sums[y] = s; }
///   after:   for (y = 0; y != 16; y += 4) { s0 = sums[y]; …
///              for (k…) { t = q[k]; s0 += splat(p[y][k]) * t; s1 += splat(p[y + 1][k]) * t; … } … }
///
/// Each row would read the same elements again, and wait for its own last sum. A loop over the vectors of a row that
/// goes round a few times is joined in the same way before, since its vectors share what is splatted.
///
/// Requires: behind the vectorizers and what cleans behind them; loops in simplified form.
struct JoinRows : llvm::PassInfoMixin<JoinRows> {
  explicit JoinRows(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
