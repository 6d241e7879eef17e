// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// retarget_module — moves a module from the front end's target to the host.
///
///   before:  target triple = "spir64"                          after:  the host's triple and data layout
///            declare void @f(target("spirv.Event"))                     declare void @f(ptr)
///            %s = call target("spirv.Sampler")                          %s is inttoptr (i64 23 to ptr)
///                 @__translate_sampler_initializer(i32 23)
///            attributes #0 = { "frame-pointer"="all" … }                attributes #0 = { … }
///
/// Requires: nothing was optimised for the old data layout (its lack of native integers hides strides).
/// Leaves:   opaque OpenCL types are plain pointers; no attribute or metadata speaks of a target or relaxes arithmetic.
///           Calling conventions stay: spir_kernel marks kernels, and spir_func is the C convention on the host.
struct RetargetModule : llvm::PassInfoMixin<RetargetModule> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace us::codegen
