// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/lengthen_masks.h"

#include "emulator/codegen/vectorize/cost.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <array>

namespace us::codegen {
namespace {

bool isMask(const llvm::Value &value) {
  auto *type = llvm::dyn_cast<llvm::FixedVectorType>(value.getType());
  return type && type->getElementType()->isIntegerTy(1) && type->getNumElements() >= 4;
}

/// Made of masks alone, so that it can be made of longer ones.
bool isOfMasks(const llvm::Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::PHI:
  case llvm::Instruction::And:
  case llvm::Instruction::Or:
  case llvm::Instruction::Xor:
  case llvm::Instruction::Select:
  case llvm::Instruction::Freeze:
    return isMask(instruction);
  default:
    return false;
  }
}

/// The bits of the elements that a mask's lanes are compared from or choose between there; 0: none.
unsigned bitsOf(const llvm::Type &type) {
  const unsigned bits = type.isVectorTy() ? type.getScalarSizeInBits() : 0;
  return bits == 16 || bits == 32 || bits == 64 ? bits : bits ? 8 : 0;
}

unsigned bitsMade(const llvm::Instruction &mask) {
  return llvm::isa<llvm::CmpInst>(mask) ? bitsOf(*mask.getOperand(0)->getType()) : 0;
}

unsigned bitsChosen(const llvm::Instruction &user) {
  if (llvm::isa<llvm::SelectInst>(user)) return isMask(user) ? 0 : bitsOf(*user.getType());
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&user);
  if (!call) return 0;
  if (call->getIntrinsicID() == llvm::Intrinsic::masked_load) return bitsOf(*call->getType());
  if (call->getIntrinsicID() == llvm::Intrinsic::masked_store) return bitsOf(*call->getArgOperand(0)->getType());
  return 0;
}

class Lengthening {
public:
  explicit Lengthening(llvm::Function &function) : function_(function), builder_(function.getContext()) {}

  bool run() {
    for (llvm::Instruction &instruction : llvm::instructions(function_)) {
      if (!isMask(instruction)) continue;
      masks_.push_back(&instruction);
      together_.insert(&instruction);
      for (llvm::Value *operand : instruction.operands())
        if (auto *made = llvm::dyn_cast<llvm::Instruction>(operand); made && isMask(*made) && isOfMasks(instruction))
          together_.unionSets(made, &instruction);
    }
    for (llvm::Instruction *mask : masks_) count(*mask);
    bool changed = false;
    for (llvm::Instruction *mask : masks_)
      if (const unsigned bits = classes_[together_.getLeaderValue(mask)].bits(); bits != 0)
        changed |= lengthen(*mask, bits);
    finish();
    return changed;
  }

private:
  /// Of masks that are made of each other.
  struct Class {
    bool crossesBlocks = false;
    bool isDeep = false;              ///< one is made of one that is made of masks; LLVM sees to less itself
    std::array<unsigned, 65> users{}; ///< by the bits of their elements

    /// That their lanes are to have; 0: they stay.
    unsigned bits() const {
      if (!crossesBlocks && !isDeep) return 0;
      unsigned most = 8;
      for (unsigned one : {16u, 32u, 64u})
        if (users[one] > users[most]) most = one;
      return most == 8 ? 0 : most;
    }
  };

  void count(llvm::Instruction &mask) {
    Class &all = classes_[together_.getLeaderValue(&mask)];
    ++all.users[bitsMade(mask)];
    all.crossesBlocks |= llvm::isa<llvm::PHINode>(mask);
    all.isDeep |= isOfMasks(mask) && llvm::any_of(mask.operands(), [](const llvm::Use &operand) {
                    auto *made = llvm::dyn_cast<llvm::Instruction>(operand);
                    return made && isOfMasks(*made);
                  });
    for (llvm::User *user : mask.users()) {
      auto *instruction = llvm::cast<llvm::Instruction>(user);
      ++all.users[bitsChosen(*instruction)];
      all.crossesBlocks |= instruction->getParent() != mask.getParent();
    }
  }

  llvm::Type *longType(const llvm::Value &mask, unsigned bits) {
    return llvm::VectorType::get(builder_.getIntNTy(bits), llvm::cast<llvm::VectorType>(mask.getType()));
  }

  /// Users that stay as they are get a mask of the long one.
  bool lengthen(llvm::Instruction &mask, unsigned bits) {
    const bool isReplaced = isOfMasks(mask);
    llvm::SmallVector<llvm::Use *> uses;
    for (llvm::Use &use : mask.uses()) {
      auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      if (!isOfMasks(*user) && (isReplaced || user->getParent() != mask.getParent())) uses.push_back(&use);
    }
    if (isReplaced) old_.push_back(&mask);
    for (llvm::Use *use : uses) {
      auto *user = llvm::cast<llvm::Instruction>(use->getUser());
      llvm::Instruction *&made = shortened_[{&mask, user->getParent()}];
      if (!made || user->comesBefore(made)) { // users of a mask are not in their order
        llvm::Value *lanes = longer(mask, bits);
        if (made)
          made->moveBefore(user);
        else
          made = llvm::ICmpInst::Create(llvm::Instruction::ICmp, llvm::CmpInst::ICMP_SLT, lanes,
                                        llvm::Constant::getNullValue(lanes->getType()), mask.getName(),
                                        user->getIterator());
      }
      use->set(made);
    }
    return isReplaced || !uses.empty();
  }

  llvm::Value *longer(llvm::Value &mask, unsigned bits) {
    llvm::Type *type = longType(mask, bits);
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(&mask)) {
      if (llvm::isa<llvm::PoisonValue>(constant)) return llvm::PoisonValue::get(type);
      return llvm::ConstantFoldCastInstruction(llvm::Instruction::SExt, constant, type);
    }
    if (llvm::Value *known = long_.lookup(&mask)) return known;
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(&mask);
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&mask)) {
      llvm::PHINode *made =
          llvm::PHINode::Create(type, phi->getNumIncomingValues(), phi->getName(), phi->getIterator());
      long_[phi] = made;
      for (unsigned number = 0; number < phi->getNumIncomingValues(); ++number)
        made->addIncoming(longer(*phi->getIncomingValue(number), bits), phi->getIncomingBlock(number));
      return made;
    }
    llvm::SmallVector<llvm::Value *, 3> operands;
    if (instruction && isOfMasks(*instruction))
      for (llvm::Value *operand : instruction->operands())
        operands.push_back(isMask(*operand) ? longer(*operand, bits) : operand);
    llvm::BasicBlock &first = function_.getEntryBlock();
    if (instruction)
      builder_.SetInsertPoint(instruction->getParent(), std::next(instruction->getIterator()));
    else
      builder_.SetInsertPoint(&first, first.getFirstInsertionPt());
    llvm::Value *made = operands.empty() ? builder_.CreateSExt(&mask, type) : ofLonger(*instruction, operands);
    long_[&mask] = made;
    return made;
  }

  llvm::Value *ofLonger(llvm::Instruction &instruction, llvm::ArrayRef<llvm::Value *> operands) {
    if (auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
      return builder_.CreateBinOp(operation->getOpcode(), operands[0], operands[1], operation->getName());
    if (llvm::isa<llvm::FreezeInst>(instruction)) return builder_.CreateFreeze(operands[0], instruction.getName());
    llvm::Value *condition = operands[0];
    if (!instruction.getOperand(0)->getType()->isVectorTy())
      return builder_.CreateSelect(condition, operands[1], operands[2], instruction.getName());
    // What a lane that is not chosen has may be poison, which "and" and "or" do not stop.
    auto *whenTrue = llvm::dyn_cast<llvm::Constant>(operands[1]),
         *whenFalse = llvm::dyn_cast<llvm::Constant>(operands[2]);
    if (whenFalse && whenFalse->isNullValue())
      return builder_.CreateAnd(condition, builder_.CreateFreeze(operands[1]), instruction.getName());
    if (whenTrue && whenTrue->isAllOnesValue())
      return builder_.CreateOr(condition, builder_.CreateFreeze(operands[2]), instruction.getName());
    llvm::Value *chosen = builder_.CreateICmpSLT(condition, llvm::Constant::getNullValue(condition->getType()));
    return builder_.CreateSelect(chosen, operands[1], operands[2], instruction.getName());
  }

  void finish() {
    for (llvm::Instruction *mask : old_) mask->replaceAllUsesWith(llvm::PoisonValue::get(mask->getType()));
    for (llvm::Instruction *mask : old_) mask->eraseFromParent();
  }

  llvm::Function &function_;
  llvm::IRBuilder<> builder_;
  llvm::SmallVector<llvm::Instruction *> masks_, old_;
  llvm::EquivalenceClasses<llvm::Value *> together_;
  llvm::DenseMap<llvm::Value *, Class> classes_;
  llvm::DenseMap<llvm::Value *, llvm::Value *> long_;
  llvm::DenseMap<std::pair<llvm::Instruction *, llvm::BasicBlock *>, llvm::Instruction *> shortened_;
};

} // namespace

llvm::PreservedAnalyses LengthenMasks::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  const VectorCosts *const costs = vectorCosts(request.specialization.target);
  if (!costs || costs->hasMaskRegisters()) return llvm::PreservedAnalyses::all();
  bool changed = false;
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) changed |= Lengthening(function).run();
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
