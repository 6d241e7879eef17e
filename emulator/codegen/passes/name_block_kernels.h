// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// name_block_kernels — blocks that are enqueued are named where they were pointed to, and become kernels again.
///
///   before:  define internal spir_func void @b(ptr addrspace(4) %block) "us-block-kernel" { … }
///            … call spir_func i32 @__enqueue_kernel_basic(…, ptr addrspace(4) addrspacecast (ptr @b to …), …)
///            store ptr addrspace(4) addrspacecast (ptr @b_invoke to ptr addrspace(4)), ptr %literal
///   after:   @block.name = private addrspace(2) constant [8 x i8] c"b.block\00"
///            define spir_kernel void @b.block(ptr addrspace(4) %block) { … }
///            … call spir_func i32 @__enqueue_kernel_basic(…, … @block.name …, …)
///            store ptr addrspace(4) null, ptr %literal
///
/// Needs:    the whole program.
/// Leaves:   no function's address is taken, unless the program calls through pointers: each kernel's machine code is
///           made by itself, and a kernel that enqueues another only names it.
struct NameBlockKernels : llvm::PassInfoMixin<NameBlockKernels> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace us::codegen
