// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// expand_gathers — gathers and scatters under a mask become loads and stores of elements without one.
///
///   before:  %v = masked.gather(%p, 4, %m, 0)              after:  store <8 x ptr> (select %m, %p, @us.nowhere), ptr
///   %slot
///                                                                  %p0 = load ptr, ptr %slot    ; and so on for each
///                                                                  lane %e0 = load i32, ptr %p0 %v = insertelement …
///
/// For processors that gather slowly, or not at all: there LLVM asks for each lane by a branch. Lanes that are not
/// asked load zeros from, and store to, a place of nobody's. Scatters store in the lanes' order, as the language of
/// LLVM says. The places go through memory, as to take each out of a register is two instructions more. Without a mask
/// LLVM's code is as fast, and is left to it.
struct ExpandGathers : llvm::PassInfoMixin<ExpandGathers> {
  explicit ExpandGathers(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  const KernelRequest &request;
};

} // namespace us::codegen
