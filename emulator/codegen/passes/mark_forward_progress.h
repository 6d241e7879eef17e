// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// The attribute of a kernel whose work-items may wait for one another in loops (docs/ir-conventions.md).
inline constexpr const char *kForwardProgress = "us_forward_progress";

/// mark_forward_progress — kernels that use sub-groups may wait, in a loop, for another sub-group.
///
///   before:  define void @k() { call i32 @_Z16get_sub_group_idv() … }
///   after:   define void @k() "us_forward_progress" { … }
///
/// It looks at names, and so comes before anything is inlined. PTX kernels have the attribute from their front end.
struct MarkForwardProgress : llvm::PassInfoMixin<MarkForwardProgress> {
  explicit MarkForwardProgress(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
