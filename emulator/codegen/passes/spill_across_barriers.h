// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// spill_across_barriers — no value lives across a barrier in a register.
///
///   before:  %v = load …                    after:  %v = load …; store %v, %slot
///            barrier: …                             barrier: …
///            use %v                                 %v1 = load %slot; use %v1
///
/// Cheap values are computed again instead, and so is what one instruction makes of a value that has a slot. What is
/// the same for the whole group (emulator/codegen/analysis/uniformity.h) gets a slot marked !us.slot "group", the
/// others "item". Private memory that lives across a barrier is marked "item" too.
///
/// Requires: split_at_barriers, lower_kernel_arguments, lower_launch_queries.
struct SpillAcrossBarriers : llvm::PassInfoMixin<SpillAcrossBarriers> {
  explicit SpillAcrossBarriers(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
