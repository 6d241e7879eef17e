// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// extract_kernel — keeps one kernel and what it reaches, with nothing that stands in the way of optimising it.
///
///   before:  define spir_kernel void @a() noinline optnone { call @f }   define spir_kernel void @b() { … }
///   after:   define void @a() { call @f }     (b is gone; f is internal and has the C calling convention)
///
/// Requires: the kernel is defined.
/// Leaves:   one external function, the kernel; us.* declarations carry what optimisers may assume of them.
struct ExtractKernel : llvm::PassInfoMixin<ExtractKernel> {
  explicit ExtractKernel(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
