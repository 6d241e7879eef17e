// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/lower_checks.h"

#include "emulator/codegen/checks.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

/// "if (threadIdx.x == 0)": one work-item comes here, in no loop that could be vectorized. To collect bits would make
/// the others go through that loop too.
bool isForOneItem(const llvm::Instruction &at) {
  const llvm::BasicBlock *before = at.getParent()->getSinglePredecessor();
  const auto *branch = before ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional()) return false;
  auto *compare = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  if (!compare || !compare->isEquality() || !llvm::isa<llvm::ConstantInt>(compare->getOperand(1))) return false;
  if (branch->getSuccessor(compare->getPredicate() == llvm::CmpInst::ICMP_EQ ? 0 : 1) != at.getParent()) return false;
  llvm::Value *id = compare->getOperand(0);
  while (auto *cast = llvm::dyn_cast<llvm::CastInst>(id)) id = cast->getOperand(0);
  auto *call = llvm::dyn_cast<llvm::CallInst>(id);
  return call && machineName(call) == "local_id";
}

} // namespace

llvm::PreservedAnalyses LowerChecks::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  const bool collects = request.specialization.tier == abi::Tier::Loop;
  // A loop over a sub-group's work-items is to have one way out, or it becomes no vector.
  const bool collectsAll = collects && usesSubGroups(*module.getFunction(request.kernel));
  bool changed = false;
  for (llvm::Function &function : module)
    for (llvm::CallInst *check : machineCalls(function, "check")) {
      if (collects && function.getName() == request.kernel && (collectsAll || !isForOneItem(*check))) continue;
      failAtOnce(check, checkKind(*check), checkedBits(*check));
      check->eraseFromParent();
      changed = true;
    }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
