// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// trim_guarded_loops — a loop whose body runs only below a bound ends at that bound.
///
///   before:  for (i = 0; i != n; ++i) if (i < d) body      after:  for (i = 0; i != min(n, d); ++i) body
///
/// What a reduction does between its barriers: without this every vector of the group goes through the guard. Both
/// conditions of an "and" are used if both are such bounds. A branch around the body (PTX: if (i > 127) goto end) is a
/// guard, too.
///
/// Requires: loops in simplified form, what does not change in the loop outside of it (LICM).
struct TrimGuardedLoops : llvm::PassInfoMixin<TrimGuardedLoops> {
  explicit TrimGuardedLoops(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
