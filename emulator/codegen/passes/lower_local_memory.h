// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// lower_local_memory — `__local` variables become places in the work-group's local arena.
///
///   before:  store float %x, ptr addrspace(3) @k.tile
///   after:   %arena = load ptr addrspace(3), us.group() + offset of localArena
///            store float %x, %arena + offset of k.tile
///
/// Requires: assign_memory_offsets; every user is in the kernel (inline_calls).
/// Leaves:   no addrspace(3) variable; us.exchange is gone too.
struct LowerLocalMemory : llvm::PassInfoMixin<LowerLocalMemory> {
  explicit LowerLocalMemory(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
