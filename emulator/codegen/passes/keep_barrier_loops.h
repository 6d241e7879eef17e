// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// keep_barrier_loops — loops with barriers are not unrolled, unless they have very few turns.
///
///   before:  br i1 %more, %header, %exit           after:  br i1 %more, %header, %exit, !llvm.loop !{…unroll.disable}
///
/// Every copy of a barrier makes another region, another nest of work-item loops, and more time to compile them. Short
/// turns, as those of a sum in a tree, are worth it: how many work-items have something to do is known in each copy,
/// and the last ones are less than a vector.
struct KeepBarrierLoops : llvm::PassInfoMixin<KeepBarrierLoops> {
  explicit KeepBarrierLoops(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
