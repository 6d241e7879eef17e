// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// check_nan — follows NaNs and infinities from the operation that made them to the store that tells others.
///
///   before:  %q = fdiv float %a, %b                 store float %q, ptr addrspace(1) %p
///   after:   %q = fdiv float %a, %b                 where %q is none or infinite:
///            where %q is none or infinite:            call void @us.nan_stored(i64 %p, i32 4, site, i64 %id)
///              %id = call i64 @us.nan_born(…)       store float %q, ptr addrspace(1) %p
///              or that of the operand that is
///            else 0
///
/// Beside each value goes the number of its birth, 0 where it has none or is finite. Births are operations, and calls
/// of the library, whose operands are all finite. The numbers go through memory by its address, and with arguments and
/// results of functions, where calls tell of them: only ever of values that are not finite. Only what the source says
/// is looked at, in functions with debug information.
struct CheckNan : llvm::PassInfoMixin<CheckNan> {
  explicit CheckNan(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
