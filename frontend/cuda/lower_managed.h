// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::frontend::cuda {

/// Managed variables, which Clang knows in HIP only: headers annotate them ("us.managed"), two passes do the rest.

/// mark_managed — in device code the annotation becomes what PTX has for it.
///
///   before:  @x = addrspace(1) global i32 5, an entry of llvm.global.annotations
///   after:   .visible .global .attribute(.managed) .u32 x = 5;
struct MarkManaged : llvm::PassInfoMixin<MarkManaged> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// redirect_managed — in the host's code the variable is memory of the runtime's, whose address is asked for once.
///
///   before:  %a = load i32, ptr @x
///            call void @__cudaRegisterVar(ptr %handle, ptr @x, …)
///   after:   %p = call ptr @us.managed.address(ptr @x.managed)     if it is null yet, __cudaInitModule sets it
///            %a = load i32, ptr %p
///            call void @__cudaRegisterManagedVar(ptr %handle, ptr @x.managed, …)
///
/// Leaves:  uses of an address in initial values of other variables, which no code calculates.
struct RedirectManaged : llvm::PassInfoMixin<RedirectManaged> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace us::frontend::cuda
