// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// lower_program_variables — program-scope variables become places in the program's storage.
///
///   before:  %v = load i32, ptr addrspace(1) @counter
///   after:   %storage = load ptr addrspace(1), us.launch() + offset of programVariables
///            %v = load i32, %storage + offset of counter
///
/// Requires: assign_memory_offsets; every user is in the kernel (inline_calls).
struct LowerProgramVariables : llvm::PassInfoMixin<LowerProgramVariables> {
  explicit LowerProgramVariables(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
