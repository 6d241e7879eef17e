// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// specialize_images — gives every function that gets an image or sampler whose format or bits the launch (or a
/// literal) tells a copy that is made for them, from the kernel down to what loads a pixel.
///
///   before:  %t = call @read_imagef(ptr %image, ptr %sampler, …)     in it: %type = load i32, ptr (%image + 44)
///                                                                           switch i32 %type …
///   after:   %t = call @read_imagef.1(ptr %image, ptr %sampler, …)   in it: the one case, for one addressing mode
///
/// Requires: the kernel is extracted; nothing is inlined yet, so that a copy is simplified once and not at each call.
/// Leaves:   copies of the library's functions that are always inlined. What an image is cannot be told where it comes
///           from a select or a phi: such a call keeps the function that looks at the descriptor.
struct SpecializeImages : llvm::PassInfoMixin<SpecializeImages> {
  explicit SpecializeImages(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
