// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// lower_runtime_calls — turns printf, trap and clock into calls through the table of runtime functions.
///
///   before:  %t = call i64 @us.clock()
///   after:   %table = load ptr, us.launch() + offset of runtime
///            %f = load ptr, %table + offset of clock
///            %t = call i64 %f()
///
/// Leaves:   no us.printf, us.trap, us.clock, us.address_space. us.launch and us.group stand for the contexts.
struct LowerRuntimeCalls : llvm::PassInfoMixin<LowerRuntimeCalls> {
  explicit LowerRuntimeCalls(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
