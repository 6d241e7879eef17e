// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/look_up_in_registers.h"

#include "emulator/codegen/vectorize/small_tables.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include <numeric>

namespace us::codegen {
namespace {

/// The instructions that a processor permutes a register's words by an index of each with.
struct Permutations {
  unsigned lanes;                ///< words of a register
  bool hasMasks;                 ///< in registers of their own
  llvm::Intrinsic::ID of, ofTwo; ///< registers; the latter none: there is no such instruction
};

Permutations permutations(const VectorCosts &costs, unsigned vectorBits) {
  using namespace llvm;
  if (!costs.hasMaskRegisters()) return {8, false, Intrinsic::x86_avx2_permd, Intrinsic::not_intrinsic};
  if (vectorBits < 512) return {8, true, Intrinsic::x86_avx2_permd, Intrinsic::x86_avx512_vpermi2var_d_256};
  return {16, true, Intrinsic::x86_avx512_permvar_si_512, Intrinsic::x86_avx512_vpermi2var_d_512};
}

class LookUp {
public:
  LookUp(llvm::IntrinsicInst &gather, const SmallTable &table, const Permutations &by)
      : builder_(&gather), gather_(gather), table_(table), by_(by), type_(builder_.getInt32Ty()) {}

  void expand() {
    auto *all = llvm::cast<llvm::FixedVectorType>(gather_.getType());
    const unsigned lanes = all->getNumElements(), wide = unsigned(llvm::alignTo(lanes, by_.lanes));
    llvm::Value *index = builder_.CreateZExtOrTrunc(table_.index, ofLanes(*type_, lanes));
    loadTable();
    llvm::SmallVector<llvm::Value *, 4> parts;
    for (unsigned first = 0; first < wide; first += by_.lanes) parts.push_back(found(part(*index, first)));
    llvm::Value *value = parts.front();
    for (unsigned i = 1; i < parts.size(); ++i) value = joined(*value, *parts[i]);
    value = shortened(*value, lanes);
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

  llvm::Value *shuffled(llvm::Value &a, llvm::Value &b, unsigned first, unsigned lanes) {
    llvm::SmallVector<int, 64> mask(lanes);
    std::iota(mask.begin(), mask.end(), first);
    return builder_.CreateShuffleVector(&a, &b, mask);
  }

  static unsigned lanesOf(const llvm::Value &vector) {
    return llvm::cast<llvm::FixedVectorType>(vector.getType())->getNumElements();
  }

  /// The lanes of a register; behind the last one there is nothing.
  llvm::Value *part(llvm::Value &vector, unsigned first) {
    if (lanesOf(vector) == by_.lanes) return &vector;
    llvm::SmallVector<int, 16> mask(by_.lanes, llvm::PoisonMaskElem);
    for (unsigned lane = 0; lane < by_.lanes && first + lane < lanesOf(vector); ++lane) mask[lane] = int(first + lane);
    return builder_.CreateShuffleVector(&vector, mask);
  }

  llvm::Value *joined(llvm::Value &front, llvm::Value &back) {
    llvm::Value *longer = &back;
    if (lanesOf(front) != lanesOf(back)) {
      llvm::SmallVector<int, 64> mask(lanesOf(front), llvm::PoisonMaskElem);
      std::iota(mask.begin(), mask.begin() + lanesOf(back), 0);
      longer = builder_.CreateShuffleVector(&back, mask);
    }
    return shuffled(front, *longer, 0, lanesOf(front) + lanesOf(back));
  }

  llvm::Value *shortened(llvm::Value &vector, unsigned lanes) {
    return lanesOf(vector) == lanes ? &vector : shuffled(vector, *llvm::PoisonValue::get(vector.getType()), 0, lanes);
  }

  void loadTable() {
    for (unsigned first = 0; first < table_.words; first += by_.lanes) {
      const unsigned lanes = std::min(by_.lanes, table_.words - first);
      llvm::Value *place = builder_.CreateConstInBoundsGEP1_64(type_, table_.base, first);
      llvm::LoadInst *words =
          builder_.CreateAlignedLoad(ofLanes(*type_, lanes), place, llvm::Align(table_.elementBytes));
      words->copyMetadata(gather_);
      registers_.push_back(part(*words, 0));
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
  const Permutations &by_;
  llvm::Type *type_;
  llvm::SmallVector<llvm::Value *, 16> registers_;
};

} // namespace

llvm::PreservedAnalyses LookUpInRegisters::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  const VectorCosts *const costs = vectorCosts(request.specialization.target);
  if (!costs || !costs->tableWords) return llvm::PreservedAnalyses::all();
  const Permutations by = permutations(*costs, abi::targetInfo(request.specialization.target).vectorBits);
  bool changed = false;
  for (llvm::Function &function : module) {
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto *gather = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!gather || gather->getIntrinsicID() != llvm::Intrinsic::masked_gather) continue;
      const auto table = smallTable(*gather->getArgOperand(0), *gather->getType()->getScalarType(), *gather, *costs);
      if (!table) continue;
      LookUp(*gather, *table, by).expand();
      changed = true;
    }
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
