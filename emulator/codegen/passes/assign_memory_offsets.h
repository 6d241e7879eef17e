// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// assign_memory_offsets — says once, as metadata, where each module variable lies.
///
///   before:  @k.tile = internal addrspace(3) global [64 x float] undef
///            @counter = addrspace(1) global i32 0
///   after:   @k.tile = … !us.offset !0        (in the local arena of the kernel)
///            @counter = … !us.offset !1       (in the program's storage)
///
/// Requires: the module as the front end left it (what later passes remove must still be there to be counted).
/// Leaves:   !us.offset on every addrspace(3) variable the kernel reaches and on every stored program variable.
struct AssignMemoryOffsets : llvm::PassInfoMixin<AssignMemoryOffsets> {
  explicit AssignMemoryOffsets(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
