// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// branch_at_masked_stores — what all lanes store is stored without a mask, and what none stores is not.
///
///   before:  masked.store(%v, %p, 4, <8 x i1> %m)       after:  %lanes = bitcast <8 x i1> %m to i8
///                                                               br (icmp eq %lanes, -1), %whole, %asked
///                                                        asked: br (icmp eq %lanes, 0), %behind, %some
///                                                        whole: store %v, %p
///                                                         some: masked.store(%v, %p, 4, %m)
///
/// Where all lanes have read the place just before and no other thread writes there (local memory; global, if a
/// kernel's work-items write at places of their own, mark_own_places), those whose mask is not set write back what they
/// have read:
///
///   before:  %o = load %p  masked.store(%v, %p, 4, %m)   after:  if (%m != 0) store (select %m, %v, %o), %p
///
/// Then vectors in which some lanes store cost no masked store. In a loop such vectors make the next eight be written,
/// too, so that the branch is seldom predicted wrongly.
///
/// For processors where a store under a mask takes many times as long as another (AMD's with AVX2 have it in microcode)
/// or is none: then LLVM asks for each lane. Requires nothing, and leaves masks that are constants alone.
struct BranchAtMaskedStores : llvm::PassInfoMixin<BranchAtMaskedStores> {
  explicit BranchAtMaskedStores(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
  const KernelRequest &request;
};

} // namespace us::codegen
