// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// lower_checks — checks that no tier's own passes collect end the launch where they fail.
///
///   before:  call void @us.check(i32 KIND, i64 %bits)
///   after:   loop tier: as before, in the kernel itself; form_work_item_loops collects what they say
///            else: if (%bits != 0) write to abi::kCheckMarks + KIND
///
/// Requires: check_alignment, which moves and merges them.
struct LowerChecks : llvm::PassInfoMixin<LowerChecks> {
  explicit LowerChecks(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
