// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// join_indices — a place whose row and column are quotient and remainder of one number is that number's.
///
///   before:  %row = udiv i32 %l, 18    %column = urem i32 %l, 18
///            %p = getelementptr [18 x [18 x float]], ptr %t, i64 0, i64 zext(%row), i64 zext(%column)
///   after:   %p = getelementptr i32, ptr %t, i64 zext(%l)
///
/// Work-items fill a tile by their linear number, and neighbours do it side by side, which two numbers do not show.
struct JoinIndices : llvm::PassInfoMixin<JoinIndices> {
  explicit JoinIndices(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
