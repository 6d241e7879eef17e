// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/load_whole_under_masks.h"

#include "emulator/codegen/vectorize/cost.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace us::codegen {
namespace {

/// The smallest that a processor has; bytes of the longest vector that is loaded so.
constexpr uint64_t kPage = 4096, kLongestLoad = 64;

struct MaskedLoad {
  explicit MaskedLoad(llvm::IntrinsicInst &call)
      : call(call), place(call.getArgOperand(0)), mask(call.getArgOperand(2)), otherwise(call.getArgOperand(3)),
        type(llvm::cast<llvm::FixedVectorType>(call.getType())),
        alignment(llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->getAlignValue()) {}

  llvm::IntrinsicInst &call;
  llvm::Value *place, *mask, *otherwise;
  llvm::FixedVectorType *type;
  llvm::Align alignment;
};

bool isOneByOne(const MaskedLoad &load, const VectorCosts &costs) {
  const unsigned bits = load.type->getScalarSizeInBits(), lanes = load.type->getNumElements();
  const llvm::Value *object = llvm::getUnderlyingObject(load.place);
  return !llvm::isa<llvm::Constant>(load.mask) && bits < costs.maskedBits && bits >= 8 && llvm::isPowerOf2_32(bits) &&
         lanes >= 8 && lanes <= 64 && llvm::isPowerOf2_32(lanes) && lanes * bits / 8 <= kLongestLoad &&
         !llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(object);
}

class WholeLoads {
public:
  explicit WholeLoads(llvm::Function &function) : function_(function) {}

  void expand(const MaskedLoad &load) {
    const unsigned lanes = load.type->getNumElements();
    const uint64_t bytes = lanes * load.type->getScalarSizeInBits() / 8;
    llvm::IRBuilder<> builder(&load.call);
    llvm::IntegerType *type = builder.getIntNTy(lanes);
    llvm::Value *asked = builder.CreateBitCast(load.mask, type, "lanes"), *none = llvm::ConstantInt::get(type, 0);
    llvm::BasicBlock *before = load.call.getParent(), *behind = llvm::SplitBlock(before, &load.call);
    const auto make = [&](const char *name) {
      return llvm::BasicBlock::Create(builder.getContext(), name, &function_, behind);
    };
    llvm::BasicBlock *whole = make("load.whole"), *some = make("load.some"), *one = make("load.one"),
                     *all = make("load.all");

    before->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(before);
    builder.SetCurrentDebugLocation(load.call.getDebugLoc());
    llvm::Value *within = builder.CreateAnd(builder.CreatePtrToInt(load.place, builder.getInt64Ty()), kPage - 1);
    llvm::Value *isOnePage = builder.CreateICmpULE(within, builder.getInt64(kPage - bytes));
    builder.CreateCondBr(builder.CreateAnd(builder.CreateICmpNE(asked, none), isOnePage), whole, some);

    builder.SetInsertPoint(whole);
    llvm::Value *loaded = builder.CreateAlignedLoad(load.type, load.place, load.alignment);
    builder.CreateBr(behind);

    builder.SetInsertPoint(some);
    llvm::AllocaInst *memory = slot();
    builder.CreateAlignedStore(llvm::Constant::getNullValue(load.type), memory, memory->getAlign());
    builder.CreateCondBr(builder.CreateICmpEQ(asked, none), all, one);

    builder.SetInsertPoint(one);
    llvm::PHINode *left = builder.CreatePHI(type, 2);
    left->addIncoming(asked, some);
    llvm::Value *lane = builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, builder.getTrue());
    lane = builder.CreateZExtOrTrunc(lane, builder.getInt64Ty());
    llvm::Type *element = load.type->getElementType();
    llvm::Value *value = builder.CreateAlignedLoad(element, builder.CreateGEP(element, load.place, lane),
                                                   llvm::commonAlignment(load.alignment, bytes / lanes));
    builder.CreateStore(value, builder.CreateGEP(element, memory, lane));
    llvm::Value *rest = builder.CreateAnd(left, builder.CreateSub(left, llvm::ConstantInt::get(type, 1)));
    left->addIncoming(rest, one);
    builder.CreateCondBr(builder.CreateICmpEQ(rest, none), all, one);

    builder.SetInsertPoint(all);
    llvm::Value *collected = builder.CreateAlignedLoad(load.type, memory, memory->getAlign());
    builder.CreateBr(behind);

    builder.SetInsertPoint(&load.call);
    llvm::PHINode *made = builder.CreatePHI(load.type, 2);
    made->addIncoming(loaded, whole);
    made->addIncoming(collected, all);
    llvm::Value *chosen = builder.CreateSelect(load.mask, made, load.otherwise);
    load.call.replaceAllUsesWith(chosen);
    chosen->takeName(&load.call);
    load.call.eraseFromParent();
  }

private:
  llvm::AllocaInst *slot() {
    if (slot_) return slot_;
    llvm::BasicBlock &entry = function_.getEntryBlock();
    llvm::IRBuilder<> top(&entry, entry.begin());
    slot_ = top.CreateAlloca(llvm::ArrayType::get(top.getInt8Ty(), kLongestLoad), nullptr, "loaded");
    slot_->setAlignment(llvm::Align(kLongestLoad));
    return slot_;
  }

  llvm::Function &function_;
  llvm::AllocaInst *slot_ = nullptr;
};

} // namespace

llvm::PreservedAnalyses LoadWholeUnderMasks::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  const VectorCosts *const costs = vectorCosts(request.specialization.target);
  if (!costs) return llvm::PreservedAnalyses::all();
  bool changed = false;
  for (llvm::Function &function : module) {
    llvm::SmallVector<MaskedLoad> loads;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == llvm::Intrinsic::masked_load)
        if (MaskedLoad load(*call); isOneByOne(load, *costs)) loads.push_back(load);
    WholeLoads expansion(function);
    for (const MaskedLoad &load : loads) expansion.expand(load);
    changed |= !loads.empty();
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
