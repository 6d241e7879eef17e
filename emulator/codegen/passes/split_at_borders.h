// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// split_at_borders — the work-items of a row that are away from its ends have a loop of their own.
///
///   before:  for (i = 0; i != n; ++i) { if (x < 1 || x > w) continue; a[min(max(x - 1, 0), w)] … }      x = first + i
///   after:   for (part = 0; part != 2; ++part) {
///              for (i = part ? to : 0; i < (part ? n : from); ++i) { as it was }
///              if (!part) for (i = from; i < to; ++i) { a[x - 1] … }
///            }
///
/// Between `from` and `to` each test and each limit comes out in one way, which is computed before the loop: work-items
/// do not part there, and what a limit left alone lies side by side. Both are multiples of 16, as vectors are long.
/// Where few are between them all take the loop as it was.
///
/// The coordinate of a filter, a counter and what all work-items of a row share in floating-point numbers, is settled
/// there as well, if none of its sums is rounded: its whole part is a counter, its fraction the same in the whole row.
///
/// A test's likely way: a work-item is above a small constant, below anything else and unequal. Only what decides where
/// work-items go, or where they access memory, is worth a loop; where masks cost little (AVX-512), a test that only
/// says which work-items have something to do is not, unless that is little too.
///
/// Requires: loops in simplified form, what does not change in the loop outside of it (LICM), trim_guarded_loops.
struct SplitAtBorders : llvm::PassInfoMixin<SplitAtBorders> {
  explicit SplitAtBorders(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
