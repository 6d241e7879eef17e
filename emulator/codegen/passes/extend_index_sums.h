// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// extend_index_sums — an index that is made of ids and constants, and does not wrap, is made of the longer numbers.
///
///   before:  %x = trunc i64 (call @us.global_id(0)) to i32     %i = add nsw i32 (mul nsw i32 %y, 512), %x
///            %index = sext i32 %i to i64
///   after:   %index = add nuw nsw i64 (mul nuw nsw i64 (call @us.global_id(1)), 512), (call @us.global_id(0))
///
/// As none of it is negative, LLVM would make the lower bits of a sum of it, of which nobody knows any more that it
/// does not wrap: neighbours' places would not be known to lie side by side.
struct ExtendIndexSums : llvm::PassInfoMixin<ExtendIndexSums> {
  explicit ExtendIndexSums(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
