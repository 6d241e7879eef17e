// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// specialize_textures — reads of a texture whose handle is an argument get a function that is made for its format and
/// its sampler, which the launch tells.
///
///   before:  call <4 x i32> @ptx.tex.2d(i64 %handle, i64 0, …)     in it: calls, and switch (load i32, %handle + 48) …
///   after:   call <4 x i32> @ptx.tex.2d.1(i64 %handle, i64 0, …)   in it: straight-line code, always inlined
///
/// Only so work-items that read textures come side by side: a call is done for one after another. Address, size and
/// pitch are still the descriptor's.
///
/// Requires: the kernel is extracted, nothing is checked.
struct SpecializeTextures : llvm::PassInfoMixin<SpecializeTextures> {
  explicit SpecializeTextures(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
