// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// check_images — says where an image is read or written outside of itself and no sampler says what that means.
///
///   before:  call @write_imagef(ptr %image, <2 x i32> %at, …)
///   after:   br (%at.x < its width and %at.y < its height), %inside, %failed
///   failed:  call void @us.check_failed(i32 Image, site, %at.x and %at.y, %at.z, %image)
///            and the call as it was: the library goes nowhere else
///
/// Reads with a sampler are looked at where its addressing mode is CLK_ADDRESS_NONE.
///
/// Requires: no calls are inlined (inline_calls); the library's functions have the names that Clang gave them.
struct CheckImages : llvm::PassInfoMixin<CheckImages> {
  explicit CheckImages(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
