// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// unroll_over_arrays — in a kernel with barriers, loops that go over a private array by turns that are known are taken
/// apart, so that split_memory makes values of it.
///
///   before:  float sums[4][4];  for i { for j { sums[i][j] += a[i] * b[j]; } }    barrier
///   after:   sums[0][0] += a[0] * b[0]; ... sums[3][3] += a[3] * b[3];            barrier
///
/// What lives across barriers lies beside that of other work-items if it is a value, but an array in one piece.
struct UnrollOverArrays : llvm::PassInfoMixin<UnrollOverArrays> {
  explicit UnrollOverArrays(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
