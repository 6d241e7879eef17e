// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// lower_kernel_arguments — the kernel reads its arguments from the argument block.
///
///   before:  define void @k(ptr addrspace(1) %a, ptr addrspace(3) %t, i32 %n)
///   after:   define void @k()
///            %block = load ptr, us.launch() + offset of arguments
///            %a = load ptr addrspace(1), %block + 0        %n = load i32, %block + 16
///            %t = local arena + load i64, %block + 8
///
/// Leaves:   a kernel without parameters; the loads are invariant.
struct LowerKernelArguments : llvm::PassInfoMixin<LowerKernelArguments> {
  explicit LowerKernelArguments(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
