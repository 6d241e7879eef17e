// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// settle_sameness — answers whether a value is known to be the same for all work-items of a sub-group.
///
///   before:  %same = call i32 @us.same_in_sub_group(i64 %address)      after:   i32 1
///
/// Blocks of sub-groups are at the address of its first work-item: others need not be asked where all have that one.
struct SettleSameness : llvm::PassInfoMixin<SettleSameness> {
  explicit SettleSameness(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
