// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// split_sums — a loop that only reads, and carries more vectors than there are registers, becomes several loops, each
/// with some of them.
///
///   before:  for (k…) { s0 += splat(p[0][k]) * q[k]; …; s15 += splat(p[3][k]) * q[k + 3]; }
///   after:   for (k…) { s0 += …; …; s7 += …; }  for (k…) { s8 += …; …; s15 += …; }
///
/// Products of matrices that each work-item calculates a block of are such loops. What is read again is less than what
/// would be kept in memory from turn to turn. Sums that need each other stay together, and a loop in which they share
/// what is calculated stays one.
///
/// Requires: behind the vectorizers; loops in simplified form.
struct SplitSums : llvm::PassInfoMixin<SplitSums> {
  explicit SplitSums(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
