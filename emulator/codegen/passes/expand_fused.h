// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// expand_fused — for a processor without fused multiply-add, that of f32 as what it has, on vectors too: the code
/// generator would call a function for each element. The product is exact in double; the sum is rounded to odd
/// there, which leaves enough of what was lost to be rounded once more as if it had all been there.
///
///   before:  %r = call float @llvm.fma.f32(%a, %b, %c)     after:  %product = fmul double (fpext %a), (fpext %b)
///                                                                   %sum = fadd double %product, (fpext %c)
///                                                                   %lost = what %sum is short of the exact sum
///                                                                   %odd = %sum, or its odd neighbor towards %lost
///                                                                   %r = fptrunc double %odd to float
///
/// Leaves:   fma of doubles and of halves' sums, which stay calls; and the constrained ones of other rounding modes.
struct ExpandFused : llvm::PassInfoMixin<ExpandFused> {
  explicit ExpandFused(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
