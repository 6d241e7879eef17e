// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/local_cells.h"

#include "emulator/abi/kernel_abi.h"
#include "emulator/abi/local_cells.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <bit>

namespace us::codegen {
namespace {

using abi::AccessKind;
using abi::CellPlane;

class Cells {
public:
  Cells(llvm::Function &kernel, llvm::ArrayRef<CellAccess> accesses, uint32_t cellBytes)
      : kernel_(kernel), shift_(unsigned(std::countr_zero(cellBytes))) {
    for (const CellAccess &access : accesses) hasUpdates_ |= access.kind == AccessKind::AtomicUpdate;
    sites_ = tableOf(accesses);
    llvm::IRBuilder<> builder(&*kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    llvm::Type *number = builder.getInt64Ty();
    cells_ = loadGroupField(builder, builder.getPtrTy(), offsetof(abi::GroupContext, cells));
    count_ = loadGroupField(builder, number, offsetof(abi::GroupContext, cellCount));
    group_ = createMachineCall(builder, "group", builder.getPtrTy());
    arena_ = builder.CreatePtrToInt(createMachineCall(builder, "local_arena", builder.getPtrTy(3)), number);
    item_ = builder.CreateShl(createLinear(builder, "local_id", "local_size"), abi::kCellItemShift);
  }

  void check(const CellAccess &access, uint32_t number) {
    llvm::IRBuilder<> builder(access.before);
    const uint64_t count = (access.bytes + (uint64_t(1) << shift_) - 1) >> shift_;
    llvm::Value *place = builder.CreateLShr(
        builder.CreateSub(builder.CreatePtrToInt(access.pointer, builder.getInt64Ty()), arena_), shift_);
    // An access that goes elsewhere has nothing to find, and must not go elsewhere here.
    place = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, place, count_);
    llvm::Value *epoch = builder.CreateLoad(
        builder.getInt64Ty(),
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), group_, offsetof(abi::GroupContext, cellEpoch)));
    llvm::Value *mine = builder.CreateOr(builder.CreateOr(epoch, item_), builder.getInt64(number));
    if (count > 1) mine = builder.CreateVectorSplat(unsigned(count), mine);
    const auto planeAt = [&](CellPlane plane) {
      llvm::Value *begin = builder.CreateMul(builder.CreateAdd(count_, builder.getInt64(abi::kMostCells)),
                                             builder.getInt64(uint64_t(plane)));
      return builder.CreateGEP(builder.getInt64Ty(), cells_, builder.CreateAdd(begin, place));
    };
    const llvm::Align align(8);
    const auto load = [&](CellPlane plane) {
      return builder.CreateAlignedLoad(mine->getType(), planeAt(plane), align);
    };
    // The same epoch, and another work-item.
    const auto isOther = [&](llvm::Value *cell) {
      constexpr uint64_t kItem = uint64_t(1) << abi::kCellItemShift, kEpoch = uint64_t(1) << abi::kCellEpochShift;
      const auto all = [&](uint64_t bits) { return llvm::ConstantInt::get(mine->getType(), bits); };
      llvm::Value *difference = builder.CreateAnd(builder.CreateXor(cell, mine), all(~(kItem - 1)));
      return builder.CreateICmpULT(builder.CreateSub(difference, all(kItem)), all(kEpoch - kItem));
    };
    llvm::SmallVector<CellPlane, 5> others;
    if (access.kind != AccessKind::AtomicUpdate && hasUpdates_)
      others.append({CellPlane::FirstUpdate, CellPlane::LastUpdate});
    if (access.kind != AccessKind::Read) others.append({CellPlane::FirstRead, CellPlane::LastRead});
    llvm::Value *races = isOther(load(CellPlane::Write));
    for (CellPlane plane : others) races = builder.CreateOr(races, isOther(load(plane)));
    if (count > 1) races = builder.CreateOrReduce(races);
    if (access.kind == AccessKind::Write) {
      say(access, races, builder);
      builder.CreateAlignedStore(mine, planeAt(CellPlane::Write), align);
      return;
    }
    say(access, races, builder);
    const bool isRead = access.kind == AccessKind::Read;
    const CellPlane first = isRead ? CellPlane::FirstRead : CellPlane::FirstUpdate;
    const CellPlane last = isRead ? CellPlane::LastRead : CellPlane::LastUpdate;
    llvm::Value *before = load(first);
    llvm::Value *isSecond = isOther(before);
    if (count == 1) {
      builder.CreateAlignedStore(mine, builder.CreateSelect(isSecond, planeAt(last), planeAt(first)), align);
      return;
    }
    builder.CreateAlignedStore(builder.CreateSelect(isSecond, before, mine), planeAt(first), align);
    builder.CreateAlignedStore(builder.CreateSelect(isSecond, mine, load(last)), planeAt(last), align);
  }

private:
  llvm::Constant *tableOf(llvm::ArrayRef<CellAccess> accesses) {
    llvm::SmallVector<llvm::Constant *, 32> texts;
    for (const CellAccess &access : accesses) texts.push_back(access.site);
    auto *type = llvm::ArrayType::get(texts.front()->getType(), texts.size());
    auto *table = new llvm::GlobalVariable(*kernel_.getParent(), type, true, llvm::GlobalValue::PrivateLinkage,
                                           llvm::ConstantArray::get(type, texts), "us.sites", nullptr,
                                           llvm::GlobalValue::NotThreadLocal, 2);
    table->setAlignment(llvm::Align(8));
    return table;
  }

  void say(const CellAccess &access, llvm::Value *races, llvm::IRBuilder<> &builder) {
    llvm::Instruction *then = llvm::SplitBlockAndInsertIfThen(
        races, access.before, false, llvm::MDBuilder(kernel_.getContext()).createUnlikelyBranchWeights());
    llvm::BranchInst *branch = llvm::cast<llvm::BranchInst>(then->getParent()->getSinglePredecessor()->getTerminator());
    branch->setMetadata(llvm::LLVMContext::MD_nosanitize, llvm::MDNode::get(kernel_.getContext(), {}));
    llvm::IRBuilder<> cold(then);
    cold.SetCurrentDebugLocation(access.before->getDebugLoc());
    createMachineCall(cold, "local_race", cold.getVoidTy(),
                      {cold.CreatePtrToInt(access.pointer, cold.getInt64Ty()), cold.getInt64(access.bytes),
                       cold.getInt32(access.what), access.site, access.value, sites_});
    builder.SetInsertPoint(access.before);
  }

  llvm::Function &kernel_;
  const unsigned shift_; ///< of a cell's bytes
  bool hasUpdates_ = false;
  llvm::Constant *sites_;
  llvm::Value *cells_, *count_, *group_, *arena_, *item_;
};

} // namespace

void checkLocalCells(llvm::Function &kernel, llvm::ArrayRef<CellAccess> accesses, uint32_t cellBytes) {
  if (accesses.empty()) return;
  Cells cells(kernel, accesses, cellBytes);
  for (const auto &[number, access] : llvm::enumerate(accesses)) cells.check(access, uint32_t(number));
}

} // namespace us::codegen
