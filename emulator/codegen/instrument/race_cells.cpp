// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/race_cells.h"

#include "emulator/abi/kernel_abi.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <bit>

namespace us::codegen {
namespace {

using abi::AccessKind;
using abi::CellPlane;

constexpr uint64_t kItem = uint64_t(1) << abi::kCellItemShift, kEpoch = uint64_t(1) << abi::kCellEpochShift;

class Cells {
public:
  Cells(llvm::Function &kernel, llvm::ArrayRef<CellAccess> accesses, CellBytes cellBytes)
      : kernel_(kernel), cellBytes_(cellBytes), entry_(&*kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca()) {
    for (llvm::Instruction &instruction : llvm::instructions(kernel))
      if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) others_.push_back(&instruction);
    for (const CellAccess &access : accesses) hasUpdates_ |= access.kind == AccessKind::AtomicUpdate;
    sites_ = tableOf(accesses);
    group_ = createMachineCall(entry_, "group", entry_.getPtrTy());
    item_ = entry_.CreateShl(createLinear(entry_, "local_id", "local_size"), abi::kCellItemShift);
  }

  void check(const CellAccess &access, uint32_t number) {
    const Memory &memory = memoryOf(access.argument);
    llvm::IRBuilder<> builder(access.before);
    const uint64_t count = (access.bytes + (uint64_t(1) << memory.shift) - 1) >> memory.shift;
    llvm::Value *place = builder.CreateLShr(
        builder.CreateSub(builder.CreatePtrToInt(access.pointer, builder.getInt64Ty()), memory.begin), memory.shift);
    llvm::Value *const inMemory = builder.CreateICmpULT(place, memory.count);
    // An access that goes elsewhere has nothing to find, and must not go elsewhere here.
    place = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, place, memory.count);
    const auto spread = [&](llvm::Value *value) {
      return count > 1 ? builder.CreateVectorSplat(unsigned(count), value) : value;
    };
    const auto epoch = [&](uint64_t member) { return loadEpoch(builder, memory.epochs + member); };
    llvm::Value *const now = epoch(offsetof(abi::CellEpochs, now));
    llvm::Value *const mine = spread(builder.CreateOr(builder.CreateOr(now, item_), builder.getInt64(number)));
    llvm::Value *since = nullptr, *others = nullptr;
    if (access.argument) {
      since = spread(epoch(offsetof(abi::CellEpochs, since)));
      others = spread(epoch(offsetof(abi::CellEpochs, others)));
    }
    const auto planeAt = [&](CellPlane plane) {
      llvm::Value *begin = builder.CreateMul(builder.CreateAdd(memory.count, builder.getInt64(abi::kMostCells)),
                                             builder.getInt64(uint64_t(plane)));
      return builder.CreateGEP(builder.getInt64Ty(), memory.cells, builder.CreateAdd(begin, place));
    };
    const llvm::Align align(8);
    const auto load = [&](CellPlane plane) {
      return ofCells(builder.CreateAlignedLoad(mine->getType(), planeAt(plane), align));
    };
    const auto store = [&](llvm::Value *value, llvm::Value *at) {
      ofCells(builder.CreateAlignedStore(value, at, align));
    };
    // The same epoch, and another work-item; or a work-group before this one.
    const auto isOther = [&](llvm::Value *cell) {
      const auto all = [&](uint64_t bits) { return llvm::ConstantInt::get(mine->getType(), bits); };
      llvm::Value *difference = builder.CreateAnd(builder.CreateXor(cell, mine), all(~(kItem - 1)));
      llvm::Value *is = builder.CreateICmpULT(builder.CreateSub(difference, all(kItem)), all(kEpoch - kItem));
      return since ? builder.CreateOr(is, builder.CreateICmpULT(builder.CreateSub(cell, since), others)) : is;
    };
    llvm::SmallVector<CellPlane, 5> looked;
    if (access.kind != AccessKind::AtomicUpdate && hasUpdates_)
      looked.append({CellPlane::FirstUpdate, CellPlane::LastUpdate});
    if (access.kind != AccessKind::Read) looked.append({CellPlane::FirstRead, CellPlane::LastRead});
    // An exchange that fails has only read. What it has read is not remembered.
    llvm::Value *changes = nullptr;
    if (access.what & abi::MemoryAccess::kCompares) changes = spread(succeeds(access, inMemory, builder));
    llvm::Value *races = isOther(load(CellPlane::Write));
    for (CellPlane plane : looked) {
      llvm::Value *is = isOther(load(plane));
      if (changes) is = builder.CreateAnd(is, changes);
      races = builder.CreateOr(races, is);
    }
    if (count > 1) races = builder.CreateOrReduce(races);
    say(access, races, builder);
    if (access.kind == AccessKind::Write) return store(mine, planeAt(CellPlane::Write));
    const bool isRead = access.kind == AccessKind::Read;
    const CellPlane first = isRead ? CellPlane::FirstRead : CellPlane::FirstUpdate;
    const CellPlane last = isRead ? CellPlane::LastRead : CellPlane::LastUpdate;
    llvm::Value *before = load(first);
    llvm::Value *isSecond = isOther(before);
    if (count == 1 && !changes) return store(mine, builder.CreateSelect(isSecond, planeAt(last), planeAt(first)));
    llvm::Value *isFirst = builder.CreateNot(isSecond);
    if (changes) isFirst = builder.CreateAnd(isFirst, changes);
    if (changes) isSecond = builder.CreateAnd(isSecond, changes);
    store(builder.CreateSelect(isFirst, mine, before), planeAt(first));
    store(builder.CreateSelect(isSecond, mine, load(last)), planeAt(last));
  }

  /// Nothing else of the kernel is where cells are.
  void keepApart() {
    llvm::MDBuilder builder(kernel_.getContext());
    llvm::MDNode *scope = builder.createAnonymousAliasScope(builder.createAnonymousAliasScopeDomain(), "race cells");
    llvm::MDNode *list = llvm::MDNode::get(kernel_.getContext(), scope);
    for (llvm::Instruction *one : cells_) one->setMetadata(llvm::LLVMContext::MD_alias_scope, list);
    for (llvm::Instruction *one : others_)
      one->setMetadata(llvm::LLVMContext::MD_noalias,
                       llvm::MDNode::concatenate(one->getMetadata(llvm::LLVMContext::MD_noalias), list));
  }

private:
  /// Local memory, or that of an argument.
  struct Memory {
    unsigned shift = 2; ///< of a cell's bytes
    llvm::Value *begin = nullptr, *count = nullptr, *cells = nullptr;
    uint64_t epochs = 0; ///< where they are in the group's context
  };

  const Memory &memoryOf(llvm::Argument *argument) {
    const auto [known, isNew] = memories_.try_emplace(argument);
    Memory &memory = known->second;
    if (!isNew) return memory;
    llvm::Type *number = entry_.getInt64Ty(), *pointer = entry_.getPtrTy();
    memory.shift = unsigned(std::countr_zero(argument ? cellBytes_.global : cellBytes_.local));
    memory.epochs = argument ? offsetof(abi::GroupContext, globalEpochs) : offsetof(abi::GroupContext, localEpochs);
    const auto load = [&](llvm::Type *type, uint64_t member) -> llvm::Value * {
      if (!argument) return loadGroupField(entry_, type, offsetof(abi::GroupContext, localCells) + member);
      llvm::Value *list = loadLaunchField(entry_, pointer, offsetof(abi::LaunchContext, argumentCells));
      return loadInvariant(entry_, type, list, sizeof(abi::MemoryCells) * argument->getArgNo() + member);
    };
    memory.begin = argument
                       ? load(number, offsetof(abi::MemoryCells, begin))
                       : entry_.CreatePtrToInt(createMachineCall(entry_, "local_arena", entry_.getPtrTy(3)), number);
    memory.count = load(number, offsetof(abi::MemoryCells, count));
    memory.cells = load(pointer, offsetof(abi::MemoryCells, cells));
    return memory;
  }

  llvm::Value *loadEpoch(llvm::IRBuilder<> &builder, uint64_t offset) {
    llvm::LoadInst *load = builder.CreateLoad(builder.getInt64Ty(),
                                              builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), group_, offset));
    others_.push_back(load);
    return load;
  }

  template <class Instruction> Instruction *ofCells(Instruction *instruction) {
    cells_.push_back(instruction);
    return instruction;
  }

  /// Whether a compare-and-exchange finds what it compares with.
  llvm::Value *succeeds(const CellAccess &access, llvm::Value *inMemory, llvm::IRBuilder<> &builder) {
    llvm::Type *number = builder.getIntNTy(unsigned(access.bytes) * 8);
    auto *one = llvm::FixedVectorType::get(number, 1);
    llvm::Value *mask = builder.CreateVectorSplat(1, inMemory);
    llvm::Value *read = builder.CreateMaskedLoad(one, access.pointer, llvm::Align(access.bytes), mask,
                                                 llvm::Constant::getNullValue(one));
    return builder.CreateICmpEQ(
        builder.CreateZExt(builder.CreateExtractElement(read, uint64_t(0)), builder.getInt64Ty()), access.value);
  }

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
    createMachineCall(cold, "cell_race", cold.getVoidTy(),
                      {cold.CreatePtrToInt(access.pointer, cold.getInt64Ty()), cold.getInt64(access.bytes),
                       cold.getInt32(access.what), access.site, access.value, sites_});
    builder.SetInsertPoint(access.before);
  }

  llvm::Function &kernel_;
  const CellBytes cellBytes_;
  llvm::IRBuilder<> entry_;
  bool hasUpdates_ = false;
  llvm::Constant *sites_;
  llvm::Value *group_, *item_;
  llvm::DenseMap<llvm::Argument *, Memory> memories_;         ///< null: local memory
  llvm::SmallVector<llvm::Instruction *, 64> cells_, others_; ///< that touch cells, and others
};

} // namespace

void checkCells(llvm::Function &kernel, llvm::ArrayRef<CellAccess> accesses, CellBytes cellBytes) {
  if (accesses.empty()) return;
  Cells cells(kernel, accesses, cellBytes);
  for (const auto &[number, access] : llvm::enumerate(accesses)) cells.check(access, uint32_t(number));
  cells.keepApart();
}

} // namespace us::codegen
