// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// guard_undefined_operations — gives one meaning to what LLVM calls undefined and OpenCL C does not forbid.
///
///   before:  %q = sdiv i32 %a, %b              after:  %trap = (%b == 0) or (%a == MIN and %b == -1)
///                                                      %safe = select i1 %trap, i32 1, i32 %b
///                                                      %q = sdiv i32 %a, %safe
///            %i = fptosi float %x to i32               %i = call i32 @llvm.fptosi.sat.i32.f32(float %x)
///            %s = add nsw i32 %a, %b                   %s = add i32 %a, %b      (unless it forms an address)
///            store i32 poison, ptr %p                  store i32 0, ptr %p      (what Clang makes of 0 / 0)
///
/// Leaves:   no division whose divisor may trap, no plain fptosi or fptoui, no undefined constant but the placeholders
/// of vector
///           instructions, no poison-producing flag but those of address computations
///           (docs/decisions/0002-defined-operations.md says why these stay).
struct GuardUndefinedOperations : llvm::PassInfoMixin<GuardUndefinedOperations> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace us::codegen
