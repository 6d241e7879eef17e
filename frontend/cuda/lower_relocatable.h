// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::frontend::cuda {

/// Relocatable code (-rdc=true): device code of several objects that is linked. NVIDIA's linker does that when the
/// program is made; ours has the runtime do it, when something of it is used.

/// register_part — an object of the host registers its part without what a device linker would have made.
///
///   before:  call void @__cudaRegisterLinkedBinary__nv_1234(ptr %callback, ptr %wrapper, ptr %id, ptr %dummy)
///   after:   %handle = call ptr @__cudaRegisterFatBinaryPart(ptr %wrapper)
///            call void %callback(ptr %handle)
struct RegisterPart : llvm::PassInfoMixin<RegisterPart> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// join_statics — Clang 19 gives a static variable of the device that the host uses a name of its own for its
/// definition, and forgets it where it was used before: both are one variable.
///
///   before:  @v = external addrspace(1) global i32       after:  @v__static__12 = addrspace(1) global i32 4
///            @v__static__12 = addrspace(1) global i32 4          and @v is gone
struct JoinStatics : llvm::PassInfoMixin<JoinStatics> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace us::frontend::cuda
