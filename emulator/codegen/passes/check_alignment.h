// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/Instruction.h>
#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// check_alignment — what remains to be found out while the kernel runs of whether addresses are aligned (PTX).
///
///   before:  %low = and i64 %address, 3     call void @us.misaligned(i64 %low)     ... in a loop, for each access
///   after:   loop tier: one such call per base of addresses, as far outside of loops as it is certain to be reached;
///            form_work_item_loops collects what they say
///            fiber tier, and functions that stay calls: if (low != 0) write to abi::kMisalignedMark
///
/// An address's low bits are those of what it begins with: what is added to it is a multiple of the access's size
/// almost always. So there is nothing to do in loops for arrays. A check is never made where the access might not be.
struct CheckAlignment : llvm::PassInfoMixin<CheckAlignment> {
  explicit CheckAlignment(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

/// if (bits != 0) write to the mark; before an instruction.
void reportMisaligned(llvm::Instruction *before, llvm::Value *bits);

} // namespace us::codegen
