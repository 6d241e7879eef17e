// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/narrow_arithmetic.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

constexpr unsigned kWide = 32, kNarrow = 16;
/// Fewer operations are not worth it.
constexpr size_t kFewest = 3;

bool isWide(const llvm::Value &value) { return value.getType()->isIntOrIntVectorTy(kWide); }
bool isLeaf(const llvm::Value &value) {
  return llvm::isa<llvm::ZExtInst, llvm::SExtInst>(value) &&
         llvm::cast<llvm::Instruction>(value).getOperand(0)->getType()->getScalarSizeInBits() <= kNarrow;
}

class Narrower {
public:
  explicit Narrower(llvm::Function &kernel) : kernel_(kernel) {}

  bool run() {
    for (llvm::BasicBlock *block : llvm::ReversePostOrderTraversal<llvm::Function *>(&kernel_))
      for (llvm::Instruction &instruction : *block)
        if (isWide(instruction) && fits(instruction)) chosen_.insert({&instruction, nullptr});
    for (bool changed = true; changed;) {
      changed = false;
      for (auto &entry : llvm::make_early_inc_range(chosen_)) {
        llvm::Instruction *one = entry.first;
        if (dropped_.contains(one) || (hasAll(*one) && (isLeaf(*one) || stays(*one)))) continue;
        dropped_.insert(one);
        changed = true;
      }
    }
    chosen_.remove_if([&](const auto &entry) { return dropped_.contains(entry.first); });
    size_t operations = 0;
    for (auto &[one, made] : chosen_) operations += !isLeaf(*one);
    if (operations < kFewest) return false;
    rewrite();
    return true;
  }

private:
  /// What a number can be.
  llvm::ConstantRange rangeOf(llvm::Value *value) {
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(value)) return ofConstant(*constant);
    const auto found = ranges_.find(value);
    return found == ranges_.end() ? llvm::ConstantRange::getFull(value->getType()->getScalarSizeInBits())
                                  : found->second;
  }

  static llvm::ConstantRange ofConstant(llvm::Constant &constant) {
    const unsigned bits = constant.getType()->getScalarSizeInBits();
    auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(constant.getType());
    llvm::ConstantRange range = llvm::ConstantRange::getEmpty(bits);
    for (unsigned element = 0; element < (vector ? vector->getNumElements() : 1); ++element) {
      auto *number =
          llvm::dyn_cast_or_null<llvm::ConstantInt>(vector ? constant.getAggregateElement(element) : &constant);
      if (!number) return llvm::ConstantRange::getFull(bits);
      range = range.unionWith(llvm::ConstantRange(number->getValue()));
    }
    return range;
  }

  static bool isShort(const llvm::ConstantRange &range) {
    return !range.isEmptySet() && range.getSignedMin().sge(INT16_MIN) && range.getSignedMax().sle(INT16_MAX);
  }

  /// Whether an operation gives the same number in 16 bits as in 32, its operands being such numbers.
  bool fits(llvm::Instruction &instruction) {
    const auto range = result(instruction);
    if (!range) return false;
    ranges_.insert({&instruction, *range});
    return isShort(*range);
  }

  bool isNotNegative(llvm::Value *value) { return rangeOf(value).isAllNonNegative(); }

  /// Nothing: it is not known how to calculate it in 16 bits.
  std::optional<llvm::ConstantRange> result(llvm::Instruction &instruction) {
    const auto operand = [&](unsigned number) { return rangeOf(instruction.getOperand(number)); };
    if (isLeaf(instruction)) {
      const llvm::ConstantRange from = operand(0);
      return llvm::isa<llvm::ZExtInst>(instruction) ? from.zeroExtend(kWide) : from.signExtend(kWide);
    }
    if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
      const llvm::Intrinsic::ID id = call->getIntrinsicID();
      const bool isUnsigned = id == llvm::Intrinsic::umin || id == llvm::Intrinsic::umax;
      if (id != llvm::Intrinsic::abs && !llvm::isa<llvm::MinMaxIntrinsic>(call)) return std::nullopt;
      if (isUnsigned && !(isNotNegative(call->getArgOperand(0)) && isNotNegative(call->getArgOperand(1))))
        return std::nullopt;
      llvm::SmallVector<llvm::ConstantRange, 2> of;
      for (llvm::Value *argument : call->args()) of.push_back(rangeOf(argument));
      return llvm::ConstantRange::intrinsic(id, of);
    }
    if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction))
      return rangeOf(select->getTrueValue()).unionWith(rangeOf(select->getFalseValue()));
    auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
    if (!operation) return std::nullopt;
    switch (operation->getOpcode()) {
    case llvm::Instruction::LShr:
    case llvm::Instruction::UDiv:
      if (!isNotNegative(operation->getOperand(0))) return std::nullopt;
      [[fallthrough]];
    case llvm::Instruction::Shl:
    case llvm::Instruction::AShr:
    case llvm::Instruction::SDiv: {
      const llvm::ConstantRange by = operand(1);
      const unsigned least = operation->isShift() ? 0 : 1, most = operation->isShift() ? kNarrow - 1 : INT16_MAX;
      if (by.isEmptySet() || by.getSignedMin().slt(least) || by.getSignedMax().sgt(most)) return std::nullopt;
      [[fallthrough]];
    }
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
      return operand(0).binaryOp(operation->getOpcode(), operand(1));
    default:
      return std::nullopt;
    }
  }

  bool isChosen(llvm::Value *value) {
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(value)) return isShort(ofConstant(*constant));
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction && chosen_.contains(instruction) && !dropped_.contains(instruction);
  }

  bool hasAll(llvm::Instruction &instruction) {
    return isLeaf(instruction) || llvm::all_of(instruction.operands(), [&](llvm::Value *operand) {
             return !isWide(*operand) || isChosen(operand) || isCallee(instruction, operand);
           });
  }

  static bool isCallee(llvm::Instruction &instruction, llvm::Value *operand) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && call->getCalledOperand() == operand;
  }

  /// All who use it take 16 bits.
  bool stays(llvm::Instruction &instruction) {
    return llvm::all_of(instruction.users(),
                        [&](llvm::User *user) { return isEnd(*user) || (isWide(*user) && isChosen(user)); });
  }

  bool isEnd(llvm::User &user) {
    if (llvm::isa<llvm::TruncInst>(user)) return user.getType()->getScalarSizeInBits() <= kNarrow;
    return llvm::isa<llvm::ICmpInst>(user) &&
           llvm::all_of(user.operands(), [&](llvm::Value *operand) { return isChosen(operand); });
  }

  llvm::Type *narrowType(const llvm::Value &value) { return value.getType()->getWithNewBitWidth(kNarrow); }

  llvm::Value *narrow(llvm::Value *value) {
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(value))
      return llvm::ConstantExpr::getTrunc(constant, narrowType(*value));
    return chosen_.find(llvm::cast<llvm::Instruction>(value))->second;
  }

  void rewrite() {
    for (auto &[one, made] : chosen_) { // operands come before who uses them
      llvm::IRBuilder<> builder(one);
      made = makeNarrow(builder, *one);
      made->takeName(one);
    }
    for (auto &[one, made] : chosen_)
      for (llvm::User *user : llvm::make_early_inc_range(one->users()))
        if (isEnd(*user)) end(*llvm::cast<llvm::Instruction>(user));
    for (auto &[one, made] : llvm::reverse(chosen_))
      if (one->use_empty()) one->eraseFromParent();
  }

  llvm::Value *makeNarrow(llvm::IRBuilder<> &builder, llvm::Instruction &one) {
    if (isLeaf(one)) return builder.CreateIntCast(one.getOperand(0), narrowType(one), llvm::isa<llvm::SExtInst>(one));
    if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&one))
      return builder.CreateSelect(select->getCondition(), narrow(select->getTrueValue()),
                                  narrow(select->getFalseValue()));
    if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&one)) {
      if (call->getIntrinsicID() == llvm::Intrinsic::abs)
        return builder.CreateBinaryIntrinsic(llvm::Intrinsic::abs, narrow(call->getArgOperand(0)),
                                             call->getArgOperand(1));
      return builder.CreateBinaryIntrinsic(call->getIntrinsicID(), narrow(call->getArgOperand(0)),
                                           narrow(call->getArgOperand(1)));
    }
    auto *operation = llvm::cast<llvm::BinaryOperator>(&one);
    return builder.CreateBinOp(operation->getOpcode(), narrow(one.getOperand(0)), narrow(one.getOperand(1)));
  }

  void end(llvm::Instruction &user) {
    llvm::IRBuilder<> builder(&user);
    llvm::Value *made = nullptr;
    if (llvm::isa<llvm::TruncInst>(user))
      made = builder.CreateIntCast(narrow(user.getOperand(0)), user.getType(), /*isSigned=*/false);
    else
      made = builder.CreateICmp(llvm::cast<llvm::ICmpInst>(user).getPredicate(), narrow(user.getOperand(0)),
                                narrow(user.getOperand(1)));
    user.replaceAllUsesWith(made);
    user.eraseFromParent();
  }

  llvm::Function &kernel_;
  llvm::MapVector<llvm::Instruction *, llvm::Value *> chosen_;
  llvm::SmallPtrSet<llvm::Instruction *, 16> dropped_;
  llvm::DenseMap<llvm::Value *, llvm::ConstantRange> ranges_;
};

} // namespace

llvm::PreservedAnalyses NarrowArithmetic::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  const bool changed = Narrower(*module.getFunction(request.kernel)).run();
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
