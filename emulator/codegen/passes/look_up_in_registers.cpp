// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/look_up_in_registers.h"

#include "emulator/codegen/vectorize/small_tables.h"
#include "emulator/codegen/vectorize/word_permutations.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

namespace us::codegen {
namespace {

class LookUp {
public:
  LookUp(llvm::IntrinsicInst &gather, const SmallTable &table, const WordPermutations &by)
      : builder_(&gather), gather_(gather), table_(table), by_(by), type_(builder_.getInt32Ty()) {}

  void expand() {
    auto *all = llvm::cast<llvm::FixedVectorType>(gather_.getType());
    const unsigned lanes = all->getNumElements();
    llvm::Value *index = builder_.CreateZExtOrTrunc(table_.index, ofLanes(*type_, lanes));
    loadTable();
    llvm::SmallVector<llvm::Value *, 4> parts;
    for (unsigned first = 0; first < lanes; first += by_.lanes)
      parts.push_back(found(registerOf(builder_, by_, index, first)));
    llvm::Value *value = vectorOf(builder_, parts, lanes);
    const unsigned bits = 8 * table_.elementBytes;
    value = builder_.CreateTrunc(value, ofLanes(*builder_.getIntNTy(bits), lanes));
    value = builder_.CreateBitCast(value, all);
    if (llvm::Value *mask = gather_.getArgOperand(2); !match(mask, llvm::PatternMatch::m_AllOnes()))
      value = builder_.CreateSelect(mask, value, gather_.getArgOperand(3));
    value->takeName(&gather_);
    gather_.replaceAllUsesWith(value);
    gather_.eraseFromParent();
  }

private:
  static llvm::FixedVectorType *ofLanes(llvm::Type &type, unsigned lanes) {
    return llvm::FixedVectorType::get(&type, lanes);
  }

  void loadTable() {
    const auto asked = llvm::cast<llvm::ConstantInt>(gather_.getArgOperand(1))->getAlignValue();
    const llvm::Align alignment = std::min(asked, llvm::Align(table_.elementBytes)); // of the first element, too
    for (unsigned first = 0; first < table_.words; first += by_.lanes) {
      const unsigned lanes = std::min(by_.lanes, table_.words - first);
      llvm::Value *place = builder_.CreateConstInBoundsGEP1_64(type_, table_.base, first);
      llvm::LoadInst *words = builder_.CreateAlignedLoad(ofLanes(*type_, lanes), place, alignment);
      words->copyMetadata(gather_);
      registers_.push_back(registerOf(builder_, by_, words, 0));
    }
  }

  /// What lanes find by an index of each.
  llvm::Value *found(llvm::Value *index) {
    const auto shift = unsigned(llvm::Log2_32(4 / table_.elementBytes));
    llvm::Value *word = shift ? builder_.CreateLShr(index, shift) : index;
    llvm::Value *found = chosen(*word, 0, unsigned(registers_.size()));
    if (!shift) return found;
    llvm::Value *in = builder_.CreateAnd(index, (1u << shift) - 1);
    return builder_.CreateLShr(found, builder_.CreateShl(in, llvm::Log2_32(8 * table_.elementBytes)));
  }

  /// Among so many registers, of which the first one's number ends with as many zeros as the number of all has bits.
  llvm::Value *chosen(llvm::Value &word, unsigned first, unsigned count) {
    if (count == 1) return builder_.CreateIntrinsic(by_.of, {}, {registers_[first], &word});
    if (count == 2 && by_.ofTwo)
      return builder_.CreateIntrinsic(by_.ofTwo, {}, {registers_[first], &word, registers_[first + 1]});
    const auto half = unsigned(llvm::PowerOf2Ceil(count)) / 2;
    llvm::Value *low = chosen(word, first, half), *high = chosen(word, first + half, count - half);
    return builder_.CreateSelect(isSet(word, llvm::Log2_32(half * by_.lanes)), high, low);
  }

  llvm::Value *isSet(llvm::Value &word, unsigned bit) {
    llvm::Value *zeros = llvm::Constant::getNullValue(word.getType());
    if (by_.hasMasks) return builder_.CreateICmpNE(builder_.CreateAnd(&word, 1u << bit), zeros);
    return builder_.CreateICmpSLT(builder_.CreateShl(&word, 31 - bit), zeros); // its sign is what chooses
  }

  llvm::IRBuilder<> builder_;
  llvm::IntrinsicInst &gather_;
  const SmallTable &table_;
  const WordPermutations &by_;
  llvm::Type *type_;
  llvm::SmallVector<llvm::Value *, 16> registers_;
};

} // namespace

llvm::PreservedAnalyses LookUpInRegisters::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  const VectorCosts *const costs = vectorCosts(request.specialization.target);
  const WordPermutations *const by = wordPermutations(request.specialization.target);
  if (!by) return llvm::PreservedAnalyses::all();
  bool changed = false;
  for (llvm::Function &function : module) {
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *gather = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!gather || gather->getIntrinsicID() != llvm::Intrinsic::masked_gather) continue;
      const auto table = smallTable(*gather->getArgOperand(0), *gather->getType()->getScalarType(), *gather, *costs);
      if (!table) continue;
      LookUp(*gather, *table, *by).expand();
      changed = true;
    }
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
