// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// check_printf — remembers how the arguments of CUDA's vprintf were stored, and says so before it is called.
///
///   before:  store i64 %x, ptr (%arguments + 8)
///            call i32 @us.printf(ptr %format, ptr %arguments, i32 -1)
///   after:   store <8 x i8> <2, 2, …>, ptr (%stored + 8)       abi::StoredArgument of each byte
///            store i64 %x, ptr (%arguments + 8)
///            call void @us.printed(ptr %format, ptr %stored, i64 16)
///            call i32 @us.printf(…)
///
/// In PTX no types are left: how many bytes an argument has is all that is known. Where a variable is used in ways that
/// are not followed, nothing is said. What was stored for an earlier call counts for a later one, too.
///
/// Requires: suppressed accesses are not made (check_memory).
struct CheckPrintf : llvm::PassInfoMixin<CheckPrintf> {
  explicit CheckPrintf(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
