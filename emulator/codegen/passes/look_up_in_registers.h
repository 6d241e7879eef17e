// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// look_up_in_registers — gathers from a short table become permutations of registers that hold all of it.
///
///   before:  %p = getelementptr i32, %table, (zext (and %i, 63))     after:  %t0 … %t3 = load <16 x i32>, %table …
///            %v = masked.gather(%p, 4, %m, %other)                           %a = permutation of %t0 and %t1 by %i
///                                                                            %b = permutation of %t2 and %t3 by %i
///                                                                            %v = select (%i & 32) != 0, %b, %a
///
/// The index says how long the table is, and it is known that so much can be read: a `__local` array, a constant one,
/// the row of what other work-items of a sub-group have. Elements of 8 and 16 bits are taken out of words. A processor
/// that gathers quickly does so from longer tables (VectorCosts::tableWords).
///
/// Requires: vectors have been made; before expand_gathers.
struct LookUpInRegisters : llvm::PassInfoMixin<LookUpInRegisters> {
  explicit LookUpInRegisters(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  const KernelRequest &request;
};

} // namespace us::codegen
