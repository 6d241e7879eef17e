// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// split_memory — private memory becomes values, by LLVM's SROA; an array stays whole if it is indexed with more than
/// constants, and work-items may be put side by side.
///
///   before:  float best[8];     i = less ? 3 : 4;  best[i] = x;
///   after:   float best[8];     *(less ? &best[3] : &best[4]) = x;
///            SROA alone:        float best0, ... best7;  *(less ? &best3 : &best4) = x;
///
/// The elements of an array are put side by side for several work-items, or into registers
/// (vectorize/private_arrays.h); a choice between pointers to different memory is a place in none.
struct SplitMemory : llvm::PassInfoMixin<SplitMemory> {
  explicit SplitMemory(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
