// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// set_blocks_apart — what Clang makes a kernel of, so that a block can be enqueued, becomes a function with a mark.
///
///   before:  define spir_kernel void @b(ptr addrspace(4) %block) { … }
///            … call spir_func i32 @__enqueue_kernel_basic(…, ptr addrspace(4) addrspacecast (ptr @b to …), …)
///   after:   define internal spir_func void @b(ptr addrspace(4) %block) "us-block-kernel" { … }
///            … the call is as before
///
/// Leaves:   kernels whose address nobody takes; parts of a program can be linked, and such functions of one name are
///           told apart.
struct SetBlocksApart : llvm::PassInfoMixin<SetBlocksApart> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace us::codegen
