// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// weaken_local_atomics — atomics on local memory become plain loads and stores: a work-group never leaves its thread.
///
///   before:  %old = atomicrmw add ptr addrspace(3) %p, i32 1 seq_cst
///   after:   %old = load atomic i32, %p monotonic      store atomic i32 (%old + 1), %p monotonic
///
/// Atomics on generic pointers stay: what they point to is not known here.
struct WeakenLocalAtomics : llvm::PassInfoMixin<WeakenLocalAtomics> {
  explicit WeakenLocalAtomics(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
