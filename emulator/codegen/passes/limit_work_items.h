// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// limit_work_items — a bounds guard around the whole kernel becomes a limit of the work-item loops.
///
///   before:  %c = icmp ult i64 us.global_id(0), %n        after:   call @us.limit(i32 0, i64 %n)
///            br %c, body, end                                      br body
///            end: ret
///
/// Work-items at or above the limit do not exist for the work-item loops; what they would have done is nothing.
///
/// Requires: lower_kernel_arguments, lower_launch_queries. For the loop tier only.
struct LimitWorkItems : llvm::PassInfoMixin<LimitWorkItems> {
  explicit LimitWorkItems(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
