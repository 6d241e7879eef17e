// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// split_at_barriers — every barrier stands alone in a block; the blocks between barriers are the regions.
///
///   before:  %v = load …; call @us.barrier(); use %v
///   after:   %v = load …; br barrier   barrier: call @us.barrier(); br after   after: use %v
///
/// Requires: barriers are in the kernel (inline_calls). Boundaries of interchange_uniform_loops are treated alike.
struct SplitAtBarriers : llvm::PassInfoMixin<SplitAtBarriers> {
  explicit SplitAtBarriers(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
