// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// extend_differences — a difference that a guard keeps from wrapping is made of the longer numbers.
///
///   before:  if (l >= d) { %x = zext i32 (sub i32 %l, %d) to i64 … }
///   after:   if (l >= d) { %x = sub nuw nsw i64 (zext i32 %l to i64), (zext i32 %d to i64) … }
///
/// `t[l - d]` with numbers without a sign is a place beside that of the next work-item only if the difference does not
/// wrap. LLVM's passes know a guard by the range that it leaves, which a difference of two variables does not have.
struct ExtendDifferences : llvm::PassInfoMixin<ExtendDifferences> {
  explicit ExtendDifferences(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
