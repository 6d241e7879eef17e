// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// decide_contraction — fixes what a floating-point expression computes, for every tier and every later pass.
///
///   before:  %r = call fast float @llvm.fmuladd.f32(%a, %b, %c)     after:  %r = call float @llvm.fma.f32(%a, %b, %c)
///            %s = fmul reassoc contract float %x, %y                        %s = fmul float %x, %y
///
/// Leaves:   no fast-math flag and no llvm.fmuladd. Where the language allows to fuse, the result is always fused, or
///           never if the device has no fma: left to the code generator, constant folding and different CPUs gave
///           different values.
struct DecideContraction : llvm::PassInfoMixin<DecideContraction> {
  explicit DecideContraction(bool hasFma = true) : hasFma(hasFma) {}
  const bool hasFma;
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace us::codegen
