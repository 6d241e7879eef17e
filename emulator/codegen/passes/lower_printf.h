// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// lower_printf — turns a variadic printf into a record that the runtime formats.
///
///   before:  call i32 (ptr addrspace(2), ...) @printf(ptr addrspace(2) %f, i32 %i, <4 x float> %v)
///   after:   %record = alloca [24 x i8]                ; tag Int32 x1, %i, tag Float32 x4, %v
///            call i32 @us.printf(ptr addrspace(2) %f, ptr %record, i32 24)
///
/// Leaves:   no call of printf; records are laid out as emulator/abi/kernel_abi.h says. A constant string argument of
/// %s
///           has the tag String; formatting happens where the record is read.
struct LowerPrintf : llvm::PassInfoMixin<LowerPrintf> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace us::codegen
