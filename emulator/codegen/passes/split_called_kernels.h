// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// split_called_kernels — gives a kernel that other functions call a copy for them to call.
///
///   before:  define spir_kernel void @a() { … }            after:  define spir_kernel void @a() { … }
///            define spir_kernel void @b() {                        define internal spir_func void @a.callee() { … }
///              call spir_kernel void @a()                          define spir_kernel void @b() {
///                                                                    call spir_func void @a.callee()
///
/// Leaves:   no function refers to a kernel, so that what is made of a kernel concerns that kernel alone.
struct SplitCalledKernels : llvm::PassInfoMixin<SplitCalledKernels> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace us::codegen
