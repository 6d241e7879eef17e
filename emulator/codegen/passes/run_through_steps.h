// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// run_through_steps — of steps with a barrier behind each, in which some work-items have something to do, each
/// work-item does all of its own before the next one begins, if none finds anything else in memory then.
///
///   before:  for (d = 0; d != 31; ++d)              after:  for (i = 0; i != 16; ++i)
///              for (i = 0; i != 16; ++i)                      left = t[i + 1][0]
///                if (d - i < 16 (unsigned))                   for (d = i; d != i + 16; ++d)
///                  t[i + 1][d - i + 1] =                        t[i + 1][d - i + 1] = left = f(left, t[i][d - i + 1])
///                    f(t[i + 1][d - i], t[i][d - i + 1])
///
/// Diagonals of a tile become rows: turns are as many for all, so branches are predicted, and what a work-item has
/// written or read in its last step is still in a register.
///
/// All numbers of turns, and places in local memory relative to each other, are constants: it is tried with all of them
/// whether an access of a later step, by an earlier work-item, is of a place that either writes.
///
/// What work-items store side by side in each step stays for vectors. Diagonals put side by side would be scattered,
/// and what the next step gathers of them waits until they are in the cache (measured with AVX-512: 4 times as long).
///
/// Requires: before the vectorizers; loops in simplified form.
struct RunThroughSteps : llvm::PassInfoMixin<RunThroughSteps> {
  explicit RunThroughSteps(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
