// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// check_order — tells of every atomic addition of floating-point numbers, behind it.
///
///   before:  %old = atomicrmw fadd ptr addrspace(1) %p, float %x
///   after:   %old = atomicrmw fadd ptr addrspace(1) %p, float %x
///            call void @us.float_added(i64 %p, i32 4, site, i64 %old, i64 %x)        (both as doubles)
///
/// So is a compare-and-exchange of a number with its sum with another one, as loops do where there is no such addition:
/// where it fails %x is 0.
///
/// Requires: suppressed accesses are not made (check_memory).
struct CheckOrder : llvm::PassInfoMixin<CheckOrder> {
  explicit CheckOrder(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
