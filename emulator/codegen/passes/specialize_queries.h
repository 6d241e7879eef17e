// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// specialize_queries — replaces work-item queries whose answer the specialization knows, bounds the others.
///
///   before:  %n = call i64 @us.local_size(i32 0)      %y = call i64 @us.global_id(i32 1)
///   after:   %n → 64                                  %y → 0 (the launch has one dimension)
///
/// Leaves:   queries of constant dimensions only; ids have a !range.
struct SpecializeQueries : llvm::PassInfoMixin<SpecializeQueries> {
  explicit SpecializeQueries(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
