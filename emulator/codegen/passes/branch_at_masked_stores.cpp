// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/branch_at_masked_stores.h"

#include "emulator/codegen/address_spaces.h"
#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/passes/mark_own_places.h"
#include "emulator/codegen/vectorize/cost.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

namespace us::codegen {
namespace {

/// More for such a store than for one without a mask: as two branches that are predicted, and one of twenty that is
/// not.
constexpr float kWorthBranches = 6;

struct MaskedStore {
  explicit MaskedStore(llvm::IntrinsicInst &call)
      : call(call), value(call.getArgOperand(0)), place(call.getArgOperand(1)), mask(call.getArgOperand(3)),
        alignment(llvm::cast<llvm::ConstantInt>(call.getArgOperand(2))->getAlignValue()) {}

  llvm::IntrinsicInst &call;
  llvm::Value *value, *place, *mask;
  llvm::LoadInst *read = nullptr; ///< what is written back where the mask is not set, if that is allowed
  llvm::Align alignment;
};

/// Vectors that are written, too, behind one in which some store.
constexpr unsigned kLately = 8;
/// How many instructions before a store one looks for what it is calculated from.
constexpr unsigned kFarBefore = 64;

/// What was at the store's place for all lanes, if they have read it and nothing has been written since.
llvm::LoadInst *readBefore(const MaskedStore &store) {
  unsigned seen = 0;
  for (llvm::Instruction *before = store.call.getPrevNode(); before && ++seen < kFarBefore;
       before = before->getPrevNode()) {
    auto *load = llvm::dyn_cast<llvm::LoadInst>(before);
    if (load && load->getPointerOperand() == store.place && load->getType() == store.value->getType())
      return load->isSimple() ? load : nullptr;
    if (before->mayWriteToMemory()) return nullptr;
  }
  return nullptr;
}

/// A group's work-items are one thread's, and so is its cluster in this tier.
bool isLocal(const MaskedStore &store) { return store.place->getType()->getPointerAddressSpace() == kLocalSpace; }

bool isWorthBranches(const MaskedStore &store, const VectorCosts &costs) {
  if (llvm::isa<llvm::Constant>(store.mask)) return false;
  return costs.maskedStore >= kWorthBranches || store.value->getType()->getScalarSizeInBits() < costs.maskedBits;
}

/// Those that do not store write what they have read. Global memory is not written where nobody has stored anything for
/// a while: others share its cache lines. In a loop a number says so, in memory, which becomes a value: a branch by
/// whether some of one vector store is predicted wrongly where every third does, one by whether some did lately is not.
void writeBack(MaskedStore &store, llvm::AllocaInst *lately) {
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(store.mask->getType())->getNumElements();
  llvm::Instruction *at = &store.call;
  llvm::IRBuilder<> builder(at);
  if (!isLocal(store)) {
    llvm::Value *bits = builder.CreateBitCast(store.mask, builder.getIntNTy(lanes), "lanes");
    llvm::Value *some = builder.CreateIsNotNull(bits);
    if (lately) {
      llvm::Type *type = lately->getAllocatedType();
      llvm::Value *left = builder.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, builder.CreateLoad(type, lately),
                                                        llvm::ConstantInt::get(type, 1));
      left = builder.CreateSelect(some, llvm::ConstantInt::get(type, kLately), left, "left");
      builder.CreateStore(left, lately);
      some = builder.CreateIsNotNull(left);
    }
    at = llvm::SplitBlockAndInsertIfThen(some, at, /*Unreachable=*/false);
    builder.SetInsertPoint(at);
    builder.SetCurrentDebugLocation(store.call.getDebugLoc());
  }
  llvm::Value *all = builder.CreateSelect(store.mask, store.value, store.read, "written.back");
  builder.CreateAlignedStore(all, store.place, store.alignment)->copyMetadata(store.call);
  store.call.eraseFromParent();
}

/// For each store that gets one, its number: those to global memory, in a loop.
llvm::SmallVector<llvm::AllocaInst *> makeNumbers(llvm::Function &function, llvm::ArrayRef<MaskedStore> stores,
                                                  llvm::FunctionAnalysisManager &analyses) {
  llvm::SmallVector<llvm::AllocaInst *> numbers(stores.size(), nullptr);
  auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
  llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  for (auto [store, number] : llvm::zip(stores, numbers)) {
    if (!store.read || isLocal(store) || !loops.getLoopFor(store.call.getParent())) continue;
    number = builder.CreateAlloca(builder.getInt32Ty(), nullptr, "lately");
    builder.CreateStore(builder.getInt32(0), number);
  }
  return numbers;
}

void branchAt(MaskedStore &store) {
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(store.mask->getType())->getNumElements();
  llvm::IRBuilder<> builder(&store.call);
  llvm::IntegerType *type = builder.getIntNTy(lanes);
  llvm::Value *bits = builder.CreateBitCast(store.mask, type, "lanes");
  llvm::BasicBlock *before = store.call.getParent(), *behind = llvm::SplitBlock(before, &store.call);
  llvm::Function *function = before->getParent();
  auto *whole = llvm::BasicBlock::Create(builder.getContext(), "store.whole", function, behind);
  auto *asked = llvm::BasicBlock::Create(builder.getContext(), "store.asked", function, behind);
  auto *some = llvm::BasicBlock::Create(builder.getContext(), "store.some", function, behind);

  before->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(before);
  builder.SetCurrentDebugLocation(store.call.getDebugLoc());
  builder.CreateCondBr(builder.CreateICmpEQ(bits, llvm::Constant::getAllOnesValue(type)), whole, asked);

  builder.SetInsertPoint(whole);
  llvm::StoreInst *plain = builder.CreateAlignedStore(store.value, store.place, store.alignment);
  plain->copyMetadata(store.call);
  builder.CreateBr(behind);

  builder.SetInsertPoint(asked);
  builder.CreateCondBr(builder.CreateICmpEQ(bits, llvm::ConstantInt::get(type, 0)), behind, some);

  builder.SetInsertPoint(some);
  store.call.moveBefore(builder.CreateBr(behind));
}

} // namespace

llvm::PreservedAnalyses BranchAtMaskedStores::run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  const VectorCosts *const costs = vectorCosts(request.specialization.target);
  if (!costs) return llvm::PreservedAnalyses::all();
  bool changed = false;
  for (llvm::Function &function : module) {
    llvm::SmallVector<MaskedStore> stores;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == llvm::Intrinsic::masked_store)
        if (MaskedStore store(*call); isWorthBranches(store, *costs)) {
          if (isLocal(store) || function.hasFnAttribute(kOwnPlaces)) store.read = readBefore(store);
          stores.push_back(store);
        }
    if (stores.empty()) continue;
    changed = true;
    const auto numbers = makeNumbers(function, stores, functionAnalyses(module, manager));
    for (auto [store, number] : llvm::zip(stores, numbers)) {
      if (store.read)
        writeBack(store, number);
      else
        branchAt(store);
    }
    llvm::SmallVector<llvm::AllocaInst *> made;
    llvm::copy_if(numbers, std::back_inserter(made), [](llvm::AllocaInst *number) { return number; });
    if (made.empty()) continue;
    llvm::DominatorTree dominators(function);
    llvm::PromoteMemToReg(made, dominators);
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
