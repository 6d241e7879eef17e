// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// check_arithmetic — says where the operations that guard_undefined_operations has defined were undefined.
///
///   before:  %safe = select i1 %traps, i32 1, i32 %b       %q = sdiv i32 %a, %safe
///            %i = call i32 @llvm.fptosi.sat(float %x)
///   after:   the same, and in front of it, where %traps holds or the whole part of %x is no int:
///            call void @us.check_failed(i32 DivisionByZero or Conversion, site, the operands)
///
/// Only what the source says is looked at, in functions with debug information: not the library's own code. PTX's
/// conversions saturate.
struct CheckArithmetic : llvm::PassInfoMixin<CheckArithmetic> {
  explicit CheckArithmetic(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
