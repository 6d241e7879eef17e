// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/fold_zeros.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

using namespace llvm;

/// Which of an instruction's operands have to be zero so that it is; none: it is not known to be for any.
struct Needs {
  SmallVector<Value *, 4> operands;
  bool anyOfThem = false; ///< one is enough
};

Needs needsOf(Instruction &instruction) {
  const auto operand = [&](unsigned number) { return instruction.getOperand(number); };
  switch (instruction.getOpcode()) {
  case Instruction::PHI: {
    auto values = cast<PHINode>(instruction).incoming_values();
    return {SmallVector<Value *, 4>(values.begin(), values.end())};
  }
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::ShuffleVector:
  case Instruction::InsertElement:
    return {{operand(0), operand(1)}};
  case Instruction::And:
  case Instruction::Mul:
    return {{operand(0), operand(1)}, true};
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
  case Instruction::BitCast:
  case Instruction::ExtractElement:
  case Instruction::Freeze:
    return {{operand(0)}};
  case Instruction::Select:
    return {{operand(1), operand(2)}};
  case Instruction::ICmp:
    if (cast<ICmpInst>(instruction).getPredicate() == CmpInst::ICMP_NE) return {{operand(0), operand(1)}};
    return {};
  default:
    return {};
  }
}

bool foldZeros(Function &function) {
  // All that might be are taken for zero, until no operand says otherwise.
  SmallPtrSet<Value *, 32> zeros;
  SmallSetVector<Instruction *, 32> open;
  for (Instruction &instruction : instructions(function))
    if (instruction.getType()->isIntOrIntVectorTy() && !needsOf(instruction).operands.empty()) {
      zeros.insert(&instruction);
      open.insert(&instruction);
    }
  const auto isZero = [&](Value *value) {
    auto *constant = dyn_cast<Constant>(value);
    return constant ? constant->isNullValue() || isa<UndefValue>(constant) : zeros.contains(value);
  };
  while (!open.empty()) {
    Instruction *instruction = open.pop_back_val();
    const Needs needs = needsOf(*instruction);
    if (needs.anyOfThem ? any_of(needs.operands, isZero) : all_of(needs.operands, isZero)) continue;
    zeros.erase(instruction);
    for (User *user : instruction->users())
      if (zeros.contains(user)) open.insert(cast<Instruction>(user));
  }
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (!zeros.contains(&instruction)) continue;
    instruction.replaceAllUsesWith(Constant::getNullValue(instruction.getType()));
    instruction.eraseFromParent();
  }
  return !zeros.empty();
}

} // namespace

PreservedAnalyses FoldZeros::run(Module &module, ModuleAnalysisManager &) {
  bool changed = false;
  for (Function &function : module) changed |= foldZeros(function);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace us::codegen
