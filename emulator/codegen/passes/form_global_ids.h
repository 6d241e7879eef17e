// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// form_global_ids — a global id that was calculated from the work-group's becomes the query.
///
///   before:  %a = shl i64 us.group_id(0), 8      %x = or disjoint i64 %a, us.local_id(0)
///   after:   %x = call i64 @us.global_id(0)
///
/// CUDA has no other way to say it, and the passes to come know what a global id is.
///
/// Requires: specialize_queries, and InstCombine after it. Does nothing where the local size is not known or the launch
/// has an offset.
struct FormGlobalIds : llvm::PassInfoMixin<FormGlobalIds> {
  explicit FormGlobalIds(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
