// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// keep_warps_in_step — threads of a warp that exchange shared memory without a barrier do so in step, as on devices.
///
///   before:  store i32 %x, ptr addrspace(3) %own          after:  store i32 %x, ptr addrspace(3) %own
///            %y = load i32, ptr addrspace(3) %other               call i32 @us.sub_group_sync(i32 512, i32 0)
///                                                                 %y = load i32, ptr addrspace(3) %other
///
/// Before what may touch the memory that other threads of the warp have touched since it last waited, one of the two
/// writing, it waits for whoever comes there. So that nobody is a turn ahead, whoever goes round or leaves a loop with
/// such a wait waits, too, unless all of the warp meet in each turn anyway. CUDA promises nothing of this; programs
/// that count on it are right on every device.
///
/// For kernels of PTX that wait for their warps anyway, in the fiber tier: side by side threads are in step. Checks
/// come first, and say that it is a race.
struct KeepWarpsInStep : llvm::PassInfoMixin<KeepWarpsInStep> {
  explicit KeepWarpsInStep(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
