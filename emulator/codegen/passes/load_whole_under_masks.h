// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// load_whole_under_masks — short elements that some lanes load are loaded for all of them.
///
///   before:  %v = masked.load(%p, 1, <16 x i1> %m, 0)    after:  %lanes = bitcast <16 x i1> %m to i16
///                                                               br (%lanes != 0 and %p % 4096 <= 4080), %whole, %some
///                                                        whole: %w = load <16 x i8>, %p
///                                                         some: ; a loop over the lanes that load, to %slot
///                                                               %s = load <16 x i8>, %slot
///                                                               %v = select %m, (phi %w, %s), 0
///
/// For processors that have no such load: then LLVM asks for each lane by a branch. Where one lane may load, all of the
/// page is there; what other lanes get is not looked at. Memory that the compiler knows the size of is left alone.
struct LoadWholeUnderMasks : llvm::PassInfoMixin<LoadWholeUnderMasks> {
  explicit LoadWholeUnderMasks(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  const KernelRequest &request;
};

} // namespace us::codegen
