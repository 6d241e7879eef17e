// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// lower_launch_queries — queries that have one answer in a launch read the launch context.
///
///   before:  %n = call i64 @us.global_size(i32 0)
///   after:   %n = load i64, us.launch() + offset of globalSize[0], !invariant.load
///
/// Requires: specialize_queries. Leaves: of the queries only us.{global_id,local_id,group_id,local_size}.
struct LowerLaunchQueries : llvm::PassInfoMixin<LowerLaunchQueries> {
  explicit LowerLaunchQueries(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
