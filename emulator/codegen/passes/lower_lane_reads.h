// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// lower_lane_reads — a work-item that takes up another's value becomes a store, a wait for the sub-group and a load.
/// Where the sub-group parts before, and the value is known by then, they do so before it parts.
///
///   before:  if (lane < 8)                             after:   store i32 %x, own; wait; %y = load i32, other; wait
///              %y = us.lane_word(%x, own, other)                if (lane < 8)
///
/// So the other work-item need not come. The specifications leave open what it has then; Intel's devices take what is
/// in its register, and OpenVINO's kernels count on it.
struct LowerLaneReads : llvm::PassInfoMixin<LowerLaneReads> {
  explicit LowerLaneReads(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
