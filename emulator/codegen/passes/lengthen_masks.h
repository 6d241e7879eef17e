// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// lengthen_masks — a mask that is used in several blocks has lanes as long as what it is made of and what it chooses.
///
///   before:  %m = icmp slt <16 x i32> %x, %y            after:  %w = sext (icmp slt <16 x i32> %x, %y) to <16 x i32>
///            br .., label %b                                    br .., label %b
///         b: %n = phi <16 x i1> [%m, ..]                     b: %n = phi <16 x i32> [%w, ..]
///            %o = select <16 x i1> %n, <16 x i1> %c, 0          %o = and %n, (freeze (sext %c))
///            masked.store(%v, %p, 4, %o)                        masked.store(%v, %p, 4, icmp slt %o, 0)
///
/// For processors without mask registers. Their masks are lanes of zeros and ones, and LLVM passes them from block to
/// block as bytes: it packs several registers into one, and takes them apart where the mask is used.
struct LengthenMasks : llvm::PassInfoMixin<LengthenMasks> {
  explicit LengthenMasks(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  const KernelRequest &request;
};

} // namespace us::codegen
