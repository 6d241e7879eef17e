// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// expand_gathers — gathers and scatters become loads and stores of elements.
///
///   before:  %v = masked.gather(%p, 4, %m, 0)                 after:  store (select %m, %p, @us.nowhere), %slot
///                                                                     %p0 = load ptr, %slot
///                                                                     %e0 = load i32, %p0    ; so for each lane
///                                                                     %v = insertelement …
///
///   before:  %p = getelementptr i32, %a, (zext <8 x i32> %i)  after:  %n = zext (extractelement %i, 0)
///            %v = masked.gather(%p, 4, true, 0)                       %e0 = load a[%n]
///
/// For processors that gather slowly, or not at all. Under a mask LLVM asks for each lane by a branch there; here lanes
/// that are not asked load zeros from, and store to, a place of nobody's, and the places go through memory, as to take
/// each out of a register is two instructions more. Without a mask numbers of 32 bits are taken out as they are, and
/// loads and stores add the place that they begin at; LLVM makes vectors of 64 bits of them first. Scatters store in
/// the lanes' order, as the language of LLVM says. Places that are apart by constants are made the same way, and
/// numbers that differ by what all lanes share are taken out once. What is made of anything else is left to LLVM.
struct ExpandGathers : llvm::PassInfoMixin<ExpandGathers> {
  explicit ExpandGathers(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  const KernelRequest &request;
};

} // namespace us::codegen
