// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// drop_unused_votes — a vote of a sub-group whose result nobody looks at need not be held.
///
///   before:  %v = call i32 @us.votes(i32 %p)      after:   (nothing)
///
/// Work-items that wait for memory, each for itself, would have to meet for it: cub's look-back counts who has done so,
/// and never asks.
struct DropUnusedVotes : llvm::PassInfoMixin<DropUnusedVotes> {
  explicit DropUnusedVotes(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
