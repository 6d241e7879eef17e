// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// rejoin_sums — what is calculated alike on all ways to a block is calculated there once more, not chosen by the way.
///
///   before:  if (id < d) { ... %a = add %d, 1 ... } else { %b = add %d, 1 }      %next = phi [%a], [%b]
///   after:   if (id < d) { ... %a = add %d, 1 ... }                              %next = add %d, 1
///
/// Global value numbering makes such choices where one side has the sum already. Where work-items part a chosen number
/// is each one's own: a counter of a loop with a barrier in it would be kept for each of them, and no longer be known.
///
/// Does nothing to kernels without barriers.
struct RejoinSums : llvm::PassInfoMixin<RejoinSums> {
  explicit RejoinSums(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
  const KernelRequest &request;
};

} // namespace us::codegen
