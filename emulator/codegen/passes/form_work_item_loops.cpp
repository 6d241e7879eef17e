// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/form_work_item_loops.h"

#include "emulator/abi/kernel_abi.h"
#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/analysis/invariance.h"
#include "emulator/codegen/analysis/uniformity.h"
#include "emulator/codegen/analysis/ways_to_barriers.h"
#include "emulator/codegen/checks.h"
#include "emulator/codegen/entry_function.h"
#include "emulator/codegen/group_loop.h"
#include "emulator/codegen/instrument/check_races.h"
#include "emulator/codegen/instrument/check_uninitialized.h"
#include "emulator/codegen/machine_calls.h"
#include "emulator/codegen/vectorize/lane_function.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace us::codegen {
namespace {

using Builder = llvm::IRBuilder<>;

/// Of private memory, that are looked at for what becomes of its address.
constexpr unsigned kMostUses = 10000;

bool isBarrierBlock(const llvm::BasicBlock *block) { return isBarrier(&block->front()); }

/// Of kernels whose work-items wait for memory: the region of a work-item that has ended, and the bit of that. All
/// regions have bits of 64.
constexpr uint8_t kEnded = 63;
/// In which a group gives up its turn once.
constexpr uint64_t kRoundsOfATurn = 16;
/// What runs between two barriers: the blocks reachable from `start` without passing a barrier.
struct Region {
  llvm::BasicBlock *start;                             ///< in the kernel
  llvm::BasicBlock *barrier = nullptr;                 ///< the one before it; null for the kernel's entry
  bool uniform = false;                                ///< all work-items do the same: run it once
  llvm::BasicBlock *first = nullptr, *last = nullptr;  ///< in the entry function: where it begins and ends
  llvm::SmallVector<llvm::BasicBlock *, 16> blocks;    ///< in the kernel, reverse post order
  llvm::SmallVector<llvm::BasicBlock *, 4> successors; ///< barrier blocks it can reach; null: the end
  bool mayEnd = false;                                 ///< some work-items may end here while others go on
  bool hasEnded = false;                               ///< some may have ended before
  /// Of the successor taken, if there are several, the number; if some work-items are missing, its bit.
  llvm::AllocaInst *next = nullptr;

  bool isMissingSome() const { return !uniform && (mayEnd || hasEnded); }
  bool isBehindYield() const { return barrier && machineName(&barrier->front()) == "yield"; }
};

/// Memory of the whole group, in the entry function: one element for all (group slots) or one for each work-item.
struct Slot {
  llvm::AllocaInst *storage;
  uint64_t stride; ///< bytes from work-item to work-item; 0 if there is one for all
};

class LoopFormer {
public:
  LoopFormer(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses, llvm::Function &entry,
             const abi::Specialization &specialization)
      : kernel_(kernel), analyses_(analyses), entry_(entry), specialization_(specialization),
        waits_(waitsForMemory(kernel)) {}

  void run() {
    const bool fused = canFuse();
    shape_ = beginGroupLoop(entry_, specialization_, fused);
    hoistInvariants();
    applyLimits();
    tellGroup();
    findRegions();
    if (waits_) {
      makeSteps();
    } else {
      findUniformRegions();
      findEnds();
    }
    makeSlots();
    makeFlags();
    for (Region &region : regions_) formRegion(region);
    waits_ ? takeSteps() : connectRegions();
    finishGroupLoop(entry_, shape_);
    reportCollected();
    kernel_.deleteBody();
    for (auto &[memory, slot] : slots_) memory->deleteValue();
  }

private:
  bool canFuse() {
    for (const char *name :
         {"barrier", "boundary", "yield", "local_id", "group_id", "local_size", "sub_group_sync", "votes"})
      if (!machineCalls(kernel_, name).empty()) return false;
    // Local memory, the exchange memory and printf belong to one group.
    if (!machineCalls(kernel_, "group").empty()) return false;
    return llvm::none_of(llvm::instructions(kernel_), [](llvm::Instruction &instruction) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      return call && call->isIndirectCall();
    });
  }

  /// What no work-item changes is computed once: for the launch in the entry's first block, for the group at its start.
  void hoistInvariants() {
    for (llvm::CallInst *call : machineCalls(kernel_, "launch")) replace(call, entry_.getArg(0));
    for (llvm::CallInst *call : machineCalls(kernel_, "group")) replace(call, entry_.getArg(1));
    if (!shape_.fused) {
      for (llvm::CallInst *call : machineCalls(kernel_, "group_id"))
        replace(call, shape_.groupId[*queryDimension(*call)]);
      for (llvm::CallInst *call : machineCalls(kernel_, "local_size"))
        replace(call, shape_.localSize[*queryDimension(*call)]);
    }
    Invariance invariance(kernel_); // of the kernel without what was just replaced
    for (llvm::BasicBlock *block : llvm::ReversePostOrderTraversal<llvm::Function *>(&kernel_))
      for (llvm::Instruction &instruction : llvm::make_early_inc_range(*block)) {
        if (&instruction == block->getTerminator() || invariance.of(&instruction) != Invariance::Level::Launch)
          continue;
        // Group ids are phis and instructions of the entry function already; what uses them belongs behind them.
        const bool ofGroup = llvm::any_of(instruction.operands(), [&](llvm::Value *operand) {
          return dependsOnGroup_.contains(operand) || shape_.isGroupValue(operand);
        });
        if (ofGroup) dependsOnGroup_.insert(&instruction);
        instruction.moveBefore(ofGroup ? shape_.groupPoint : shape_.launchPoint);
        instruction.setDebugLoc({});
      }
  }

  /// Fewer work-items where a guard says that the others do nothing; perhaps none.
  void applyLimits() {
    for (llvm::CallInst *call : machineCalls(kernel_, "limit")) {
      Builder builder(shape_.groupPoint);
      limitItems(builder, shape_, *queryDimension(*call), call->getArgOperand(1));
      call->eraseFromParent();
    }
  }

  void replace(llvm::CallInst *call, llvm::Value *value) {
    call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }

  /// What the runtime is told of the whole group.
  void tell(Builder &builder, uint64_t slot, llvm::ArrayRef<llvm::Value *> what = {}) {
    llvm::SmallVector<llvm::Value *, 3> arguments{entry_.getArg(1)};
    arguments.append(what.begin(), what.end());
    callRuntime(builder, entry_.getArg(0), slot, builder.getVoidTy(), arguments);
  }

  bool hasAny(std::initializer_list<const char *> attributes) const {
    return llvm::any_of(attributes, [&](const char *name) { return kernel_.hasFnAttribute(name); });
  }

  /// Before the first work-item of each group.
  void tellGroup() {
    Builder builder(shape_.groupPoint);
    if (hasAny({kLocalIsChecked, kLocalCells, kGlobalCells}))
      tell(builder, offsetof(abi::RuntimeFunctions, groupBegins));
    for (llvm::CallInst *call : machineCalls(kernel_, "require")) {
      tell(builder, offsetof(abi::RuntimeFunctions, require), {call->getArgOperand(0), call->getArgOperand(1)});
      call->eraseFromParent();
    }
  }

  void findRegions() {
    addRegion(&kernel_.getEntryBlock(), nullptr);
    for (size_t i = 0; i < regions_.size(); ++i) {
      exploreRegion(regions_[i]);
      for (llvm::BasicBlock *barrier : llvm::SmallVector<llvm::BasicBlock *, 4>(regions_[i].successors))
        if (barrier && !regionBehind_.contains(barrier)) addRegion(barrier->getSingleSuccessor(), barrier);
    }
  }

  void addRegion(llvm::BasicBlock *start, llvm::BasicBlock *barrier) {
    if (barrier) regionBehind_[barrier] = regions_.size();
    Region region;
    region.start = start;
    region.barrier = barrier;
    regions_.push_back(std::move(region));
  }

  void exploreRegion(Region &region) {
    llvm::SmallPtrSet<llvm::BasicBlock *, 16> seen;
    llvm::SmallVector<llvm::BasicBlock *, 16> order;
    auto reach = [&](llvm::BasicBlock *successor) {
      if (!llvm::is_contained(region.successors, successor)) region.successors.push_back(successor);
    };
    // Depth first, without recursion: kernels can have many thousands of blocks.
    llvm::SmallVector<std::pair<llvm::BasicBlock *, llvm::succ_iterator>, 16> stack;
    if (isBarrierBlock(region.start)) {
      reach(region.start);
      return;
    }
    seen.insert(region.start);
    stack.push_back({region.start, llvm::succ_begin(region.start)});
    while (!stack.empty()) {
      auto &[block, next] = stack.back();
      if (next == llvm::succ_end(block)) {
        order.push_back(block);
        stack.pop_back();
        continue;
      }
      llvm::BasicBlock *successor = *next++;
      if (isBarrierBlock(successor))
        reach(successor);
      else if (seen.insert(successor).second)
        stack.push_back({successor, llvm::succ_begin(successor)});
    }
    for (llvm::BasicBlock *block : order)
      if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) reach(nullptr);
    region.blocks.assign(order.rbegin(), order.rend());
  }

  /// Regions that only move the group's own values on (loop control between boundaries) need no work-item loop.
  void findUniformRegions() {
    if (regions_.size() == 1) return;
    const Uniformity &uniformity = analyses_.getResult<UniformityAnalysis>(kernel_);
    for (Region &region : regions_)
      region.uniform = llvm::all_of(region.blocks, [&](llvm::BasicBlock *block) {
        return uniformity.hasUniformBranch(*block) && llvm::all_of(*block, [&](llvm::Instruction &instruction) {
                 return isUniformStep(instruction, uniformity);
               });
      });
  }

  bool isUniformStep(llvm::Instruction &instruction, const Uniformity &uniformity) {
    if (instruction.isTerminator()) return !llvm::isa<llvm::UnreachableInst>(instruction);
    if (llvm::isa<llvm::AllocaInst>(instruction)) return true; // its users are what matters
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      auto *memory = llvm::dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
      auto *value = llvm::dyn_cast<llvm::Instruction>(store->getValueOperand());
      const bool same = !value || value->getFunction() != &kernel_ || uniformity.isUniform(*value);
      return memory && isGroupSlot(*memory) && same;
    }
    return !instruction.mayHaveSideEffects() && uniformity.isUniform(instruction);
  }

  /// Where work-items may end before others, and where they are missing from then on.
  void findEnds() {
    if (!kernel_.hasFnAttribute(kMaySkipBarriers)) return;
    const WaysToBarriers &ways = analyses_.getResult<WaysToBarriersAnalysis>(kernel_);
    if (!ways.mayEnd()) return;
    llvm::SmallVector<Region *, 8> open;
    for (Region &region : regions_) {
      region.mayEnd = region.successors.size() > 1 && llvm::is_contained(region.successors, nullptr) &&
                      llvm::any_of(region.blocks, [&](auto *block) { return ways.mayEndBehind(block); });
      if (region.mayEnd) open.push_back(&region);
    }
    if (open.empty()) return;
    while (!open.empty())
      for (llvm::BasicBlock *barrier : open.pop_back_val()->successors)
        if (Region *behind = barrier ? &regions_[regionBehind_[barrier]] : nullptr; behind && !behind->hasEnded) {
          behind->hasEnded = true;
          open.push_back(behind);
        }
    makeMarks("ended");
  }

  /// A byte of each work-item, 0 at the beginning of a group.
  void makeMarks(const llvm::Twine &name) {
    Builder builder(&*entry_.getEntryBlock().begin());
    marks_ =
        builder.CreateAlloca(llvm::ArrayType::get(builder.getInt8Ty(), shape_.fullItems), nullptr, name + ".items");
    marks_->setAlignment(llvm::Align(64));
    marks_->setMetadata(kOfGroup, llvm::MDNode::get(builder.getContext(), {}));
    Builder(shape_.groupPoint).CreateMemSet(marks_, builder.getInt8(0), shape_.fullItems, marks_->getAlign());
  }

  /// Each work-item has a region to go on with, by its number, and regions that have some are run in turn.
  void makeSteps() {
    makeMarks("step");
    for (Region &region : regions_) region.hasEnded = true;
  }

  void makeSlots() {
    const llvm::DataLayout &layout = kernel_.getDataLayout();
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(kernel_))) {
      auto *memory = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (!memory) continue;
      Builder builder(shape_.launchPoint);
      if (!memory->hasMetadata("us.slot")) {
        // Private memory of one region: the work-items use it one after another.
        if (!llvm::PointerMayBeCaptured(memory, /*ReturnCaptures=*/true, /*StoreCaptures=*/true, kMostUses))
          memory->setMetadata(kPrivate, llvm::MDNode::get(memory->getContext(), {}));
        memory->moveBefore(&*entry_.getEntryBlock().begin());
        privateMemory_.insert(memory);
        continue;
      }
      Slot slot{nullptr, 0};
      builder.SetInsertPoint(&*entry_.getEntryBlock().begin());
      if (isGroupSlot(*memory)) {
        slot.storage = builder.CreateAlloca(memory->getAllocatedType(), nullptr, memory->getName());
      } else {
        slot.stride = llvm::alignTo(*memory->getAllocationSize(layout), memory->getAlign());
        llvm::Type *element = memory->getAllocatedType();
        const bool plain = layout.getTypeAllocSize(element) == slot.stride && !memory->isArrayAllocation();
        llvm::Type *type = plain ? llvm::ArrayType::get(element, shape_.fullItems)
                                 : llvm::ArrayType::get(builder.getInt8Ty(), shape_.fullItems * slot.stride);
        slot.storage = builder.CreateAlloca(type, nullptr, memory->getName() + ".items");
        slot.storage->setAlignment(std::max(memory->getAlign(), llvm::Align(64)));
      }
      slot.storage->setMetadata(kOfGroup, llvm::MDNode::get(memory->getContext(), {}));
      memory->removeFromParent(); // a region must not clone it
      slots_.insert({memory, slot});
    }
  }

  /// Bits that must be zero are collected beside the work-items, which end as if they were, and looked at in the end: a
  /// way out of their loops would keep these from being vectorized.
  void makeFlags() {
    Builder builder(&*entry_.getEntryBlock().begin());
    for (llvm::CallInst *check : machineCalls(kernel_, "check")) {
      llvm::AllocaInst *&flag = flags_[checkKind(*check)];
      if (flag) continue;
      flag = builder.CreateAlloca(builder.getInt32Ty(), nullptr, "failed");
      builder.CreateStore(builder.getInt32(0), flag);
      privateMemory_.insert(flag);
    }
  }

  /// Takes a check away: its bits go into the flag of its kind.
  void collect(Builder &builder, llvm::CallInst &check) {
    llvm::AllocaInst *flag = flags_.find(checkKind(check))->second;
    llvm::Value *narrow = builder.CreateTrunc(checkedBits(check), builder.getInt32Ty());
    llvm::Value *before = builder.CreateLoad(builder.getInt32Ty(), flag);
    builder.CreateStore(builder.CreateOr(before, narrow), flag);
    check.eraseFromParent();
  }

  /// What every work-item finds at the start of a region is looked at once.
  void collectBeforeItems(Region &region, Builder &builder) {
    for (llvm::CallInst *check : machineCalls(kernel_, "check")) {
      auto *bits = llvm::dyn_cast<llvm::Instruction>(checkedBits(*check));
      if (check->getParent() == region.start && !(bits && bits->getFunction() == &kernel_)) collect(builder, *check);
    }
  }

  void reportCollected() {
    llvm::SmallVector<llvm::ReturnInst *, 2> ends;
    for (llvm::BasicBlock &block : entry_)
      if (auto *end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) ends.push_back(end);
    for (auto [kind, flag] : flags_)
      for (llvm::ReturnInst *end : ends) {
        Builder builder(end);
        failAtOnce(end, kind, builder.CreateLoad(builder.getInt32Ty(), flag));
      }
  }

  void formRegion(Region &region) {
    llvm::LLVMContext &context = kernel_.getContext();
    region.first = llvm::BasicBlock::Create(context, "region", &entry_);
    if (region.blocks.empty() && !waits_) { // a barrier right behind a barrier
      region.last = region.first;
      return;
    }
    Builder builder(region.first);
    const bool tellsBarriers = hasAny({kRacesAreChecked, kLocalCells, kGlobalCells});
    if (region.barrier && tellsBarriers && machineName(&region.barrier->front()) == "barrier")
      tell(builder, offsetof(abi::RuntimeFunctions, groupPassed),
           llvm::cast<llvm::CallInst>(region.barrier->front()).getArgOperand(0));
    if (!flags_.empty()) collectBeforeItems(region, builder);
    shape_.wholeSubGroups = waitsForSubGroup(region);
    WorkItemLoop loop =
        region.uniform ? withoutWorkItemLoop(builder) : beginWorkItemLoop(builder, shape_, specialization_);
    llvm::Value *mark = nullptr;
    if (region.isMissingSome()) {
      Builder body(loop.body->getTerminator());
      mark = body.CreateInBoundsGEP(marks_->getAllocatedType(), marks_, {body.getInt64(0), linearIndex(body, loop)},
                                    "mark");
      if (region.hasEnded) skipOthers(loop, *mark, waits_ ? numberOf(region) : 0);
    }

    llvm::ValueToValueMapTy map;
    const auto used = usedSlots(region);
    llvm::SmallVector<std::pair<llvm::AllocaInst *, llvm::AllocaInst *>, 8> groupSlots; // private copy, storage
    llvm::SmallVector<Shared, 4> shared;
    llvm::Value *index = nullptr;
    for (auto &[memory, slot] : slots_) {
      if (!used.contains(memory)) continue;
      Builder body(loop.body->getTerminator());
      if (region.uniform) {
        map[memory] = slot.storage;
      } else if (slot.stride == 0) {
        // The whole group sees the value it had when the region began; the last work-item's is kept.
        Builder top(&*entry_.getEntryBlock().begin());
        auto *copy = top.CreateAlloca(memory->getAllocatedType(), nullptr, memory->getName() + ".copy");
        Builder before(region.first->getTerminator());
        body.CreateStore(before.CreateLoad(memory->getAllocatedType(), slot.storage), copy);
        if (!region.isMissingSome())
          groupSlots.push_back({copy, slot.storage});
        else if (isWritten(*memory, region))
          shared.push_back({copy, slot.storage, collectorOf(*memory, before)});
        map[memory] = copy;
      } else {
        if (!index) index = linearIndex(body, loop);
        if (memory->getAllocatedType()->isSized() &&
            slot.storage->getAllocatedType()->getArrayElementType() == memory->getAllocatedType())
          map[memory] = body.CreateInBoundsGEP(slot.storage->getAllocatedType(), slot.storage,
                                               {body.getInt64(0), index}, memory->getName());
        else
          map[memory] = body.CreateInBoundsGEP(body.getInt8Ty(), slot.storage,
                                               body.CreateNUWMul(index, body.getInt64(slot.stride)));
      }
    }
    cloneBlocks(region, loop, map, mark, shared);
    region.last = endWorkItemLoop(loop);
    Builder after(region.last);
    for (auto [copy, storage] : groupSlots)
      after.CreateStore(after.CreateLoad(copy->getAllocatedType(), copy), storage);
    for (const Shared &value : shared) {
      llvm::Value *bits = after.CreateLoad(value.collector->getAllocatedType(), value.collector);
      after.CreateStore(fromBits(after, bits, value.storage->getAllocatedType()), value.storage);
    }
    markParallel(region, loop, map);
  }

  /// A value that all who go on have in common: the bits of each are added, which leaves them as they are. (That of the
  /// last work-item will not do, which may have ended.)
  struct Shared {
    llvm::AllocaInst *copy, *storage, *collector;
  };

  llvm::AllocaInst *collectorOf(llvm::AllocaInst &memory, Builder &before) {
    llvm::Type *bits = before.getIntNTy(unsigned(kernel_.getDataLayout().getTypeSizeInBits(memory.getAllocatedType())));
    auto *collector =
        Builder(&*entry_.getEntryBlock().begin()).CreateAlloca(bits, nullptr, memory.getName() + ".of.all");
    before.CreateStore(llvm::ConstantInt::get(bits, 0), collector);
    return collector;
  }

  static llvm::Value *fromBits(Builder &builder, llvm::Value *bits, llvm::Type *type) {
    return type->isPointerTy() ? builder.CreateIntToPtr(bits, type) : builder.CreateBitCast(bits, type);
  }

  static void addBits(Builder &builder, const Shared &value) {
    llvm::Value *mine = builder.CreateLoad(value.copy->getAllocatedType(), value.copy);
    llvm::Type *bits = value.collector->getAllocatedType();
    mine = mine->getType()->isPointerTy() ? builder.CreatePtrToInt(mine, bits) : builder.CreateBitCast(mine, bits);
    builder.CreateStore(builder.CreateOr(builder.CreateLoad(bits, value.collector), mine), value.collector);
  }

  static bool isWritten(llvm::AllocaInst &memory, const Region &region) {
    return llvm::any_of(memory.users(), [&](llvm::User *user) {
      auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
      return store && llvm::is_contained(region.blocks, store->getParent());
    });
  }

  uint8_t numberOf(const Region &region) const { return uint8_t(&region - regions_.data()); }

  /// Only work-items with that mark have a turn.
  static void skipOthers(WorkItemLoop &loop, llvm::Value &mark, uint8_t wanted) {
    llvm::Instruction *end = loop.body->getTerminator();
    Builder builder(end);
    llvm::Value *isThere =
        builder.CreateICmpEQ(builder.CreateLoad(builder.getInt8Ty(), &mark), builder.getInt8(wanted));
    llvm::BasicBlock *there = llvm::BasicBlock::Create(end->getContext(), "there", loop.body->getParent());
    builder.CreateCondBr(isThere, there, loop.latch);
    end->removeFromParent();
    end->insertInto(there, there->end());
    loop.clones.push_back(loop.body);
    loop.body = there;
  }

  static bool waitsForSubGroup(const Region &region) {
    return llvm::any_of(region.blocks, [](llvm::BasicBlock *block) { return llvm::any_of(*block, isOfSubGroup); });
  }

  llvm::SmallPtrSet<llvm::AllocaInst *, 8> usedSlots(const Region &region) {
    llvm::SmallPtrSet<llvm::AllocaInst *, 8> used;
    for (llvm::BasicBlock *block : region.blocks)
      for (llvm::Instruction &instruction : *block)
        for (llvm::Value *operand : instruction.operands())
          if (auto *memory = llvm::dyn_cast<llvm::AllocaInst>(operand); memory && slots_.count(memory))
            used.insert(memory);
    return used;
  }

  llvm::Value *linearIndex(Builder &builder, const WorkItemLoop &loop) {
    if (loop.linearId) return loop.linearId;
    llvm::Value *index = loop.localId[0];
    auto scale = [&](unsigned dimension, uint64_t factor) {
      if (specialization_.localSize[dimension] == 1) return;
      llvm::Value *offset = builder.CreateMul(loop.localId[dimension], builder.getInt64(factor), "", true, true);
      index = builder.CreateAdd(index, offset, "", true, true);
    };
    scale(1, specialization_.localSize[0]);
    scale(2, uint64_t(specialization_.localSize[0]) * specialization_.localSize[1]);
    return index;
  }

  /// `mark`: the work-item's, to be set if it ends while others go on; null: none does.
  void cloneBlocks(Region &region, WorkItemLoop &loop, llvm::ValueToValueMapTy &map, llvm::Value *mark,
                   llvm::ArrayRef<Shared> shared) {
    llvm::SmallVector<llvm::BasicBlock *, 16> clones;
    for (llvm::BasicBlock *block : region.blocks) {
      llvm::BasicBlock *clone = llvm::CloneBasicBlock(block, map, "", &entry_);
      map[block] = clone;
      clones.push_back(clone);
    }
    // An edge to a barrier or the end of the kernel ends the work-item's turn; several: remember which it took.
    makeNext(region);
    llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> ends;
    for (auto [number, successor] : llvm::enumerate(region.successors)) {
      llvm::BasicBlock *end = llvm::BasicBlock::Create(kernel_.getContext(), "item.end", &entry_);
      Builder builder(end);
      if (successor)
        for (const Shared &value : shared) addBits(builder, value);
      if (waits_)
        builder.CreateStore(builder.getInt8(stepTo(successor)), mark);
      else if (region.mayEnd && !successor)
        builder.CreateStore(builder.getInt8(1), mark);
      if (region.next && waits_)
        addWay(builder, *region.next, stepTo(successor));
      else if (region.next && region.isMissingSome() && successor)
        addWay(builder, *region.next, unsigned(number));
      else if (region.next && !region.isMissingSome())
        builder.CreateStore(builder.getInt32(number), region.next);
      builder.CreateBr(loop.latch);
      ends[successor] = end;
      if (successor) map[successor] = end;
      if (waits_ || !successor) loop.clones.push_back(end);
    }
    for (llvm::BasicBlock *clone : clones) {
      for (llvm::Instruction &instruction : llvm::make_early_inc_range(*clone)) {
        if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) dropForeignEdges(*phi, region);
        llvm::RemapInstruction(&instruction, map, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
        const llvm::StringRef name = machineName(&instruction);
        if (name == "local_id")
          replaceQuery(instruction, loop.localId);
        else if (name == "global_id")
          replaceQuery(instruction, loop.globalId);
        else if (name == "check") {
          Builder builder(&instruction);
          collect(builder, llvm::cast<llvm::CallInst>(instruction));
        }
      }
      if (llvm::isa<llvm::ReturnInst>(clone->getTerminator())) {
        clone->getTerminator()->eraseFromParent();
        Builder(clone).CreateBr(ends[nullptr]);
      }
    }
    loop.clones.append(clones);
    llvm::Instruction *jump = loop.body->getTerminator();
    Builder(jump).CreateBr(region.blocks.empty() ? ends[region.successors.front()]
                                                 : llvm::cast<llvm::BasicBlock>(map[region.start]));
    jump->eraseFromParent();
  }

  /// What says, behind the loop, where work-items went, if there are several places.
  void makeNext(Region &region) {
    if (region.successors.size() < 2) return;
    Builder top(&*entry_.getEntryBlock().begin());
    region.next = top.CreateAlloca(top.getIntNTy(bitsOfWays(region)), nullptr, "next");
    if (region.isMissingSome())
      Builder(region.first->getTerminator())
          .CreateStore(llvm::ConstantInt::get(region.next->getAllocatedType(), 0), region.next);
  }

  unsigned bitsOfWays(const Region &region) const {
    if (waits_) return 64;
    return region.isMissingSome() ? std::max(32u, unsigned(region.successors.size())) : 32;
  }

  /// The number of the region behind a barrier.
  uint8_t stepTo(llvm::BasicBlock *barrier) const { return barrier ? uint8_t(regionBehind_.lookup(barrier)) : kEnded; }

  static void addWay(Builder &builder, llvm::AllocaInst &ways, unsigned number) {
    llvm::Type *type = ways.getAllocatedType();
    const llvm::APInt bit = llvm::APInt::getOneBitSet(type->getIntegerBitWidth(), number);
    builder.CreateStore(builder.CreateOr(builder.CreateLoad(type, &ways), bit), &ways);
  }

  /// Phis of a clone have only the edges that the region has.
  void dropForeignEdges(llvm::PHINode &phi, const Region &region) {
    for (unsigned i = phi.getNumIncomingValues(); i-- > 0;)
      if (!llvm::is_contained(region.blocks, phi.getIncomingBlock(i))) phi.removeIncomingValue(i, false);
  }

  void replaceQuery(llvm::Instruction &instruction, llvm::ArrayRef<llvm::Value *> ids) {
    auto &call = llvm::cast<llvm::CallBase>(instruction);
    call.replaceAllUsesWith(ids[*queryDimension(call)]);
    call.eraseFromParent();
  }

  /// No work-item of a region depends on another: the vectorizer need not check. Private memory that work-items use one
  /// after another is the exception.
  void markParallel(Region &region, WorkItemLoop &loop, llvm::ValueToValueMapTy &) {
    llvm::LLVMContext &context = kernel_.getContext();
    llvm::MDNode *accesses = llvm::MDNode::getDistinct(context, {});
    for (llvm::BasicBlock *block : loop.clones)
      for (llvm::Instruction &instruction : *block) {
        if (!instruction.mayReadOrWriteMemory() || instruction.isAtomic() || instruction.isVolatile()) continue;
        if (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::MemIntrinsic>(instruction)) continue;
        if (touchesPrivateMemory(instruction)) continue;
        llvm::MDNode *old = instruction.getMetadata(llvm::LLVMContext::MD_access_group);
        instruction.setMetadata(llvm::LLVMContext::MD_access_group,
                                old ? llvm::uniteAccessGroups(old, accesses) : accesses);
      }
    setParallel(loop, accesses);
  }

  bool touchesPrivateMemory(llvm::Instruction &instruction) {
    if (privateMemory_.empty()) return false;
    for (llvm::Value *operand : instruction.operands()) {
      if (!operand->getType()->isPointerTy()) continue;
      const llvm::Value *object = llvm::getUnderlyingObject(operand, 0);
      const auto *memory = llvm::dyn_cast<llvm::AllocaInst>(object);
      const unsigned space = object->getType()->isPointerTy() ? object->getType()->getPointerAddressSpace() : 0;
      const bool elsewhere = space >= 1 && space <= 3;
      if (memory ? privateMemory_.contains(memory) : !elsewhere) return true;
    }
    return false;
  }

  void connectRegions() {
    for (Region &region : regions_) {
      auto target = [&](llvm::BasicBlock *barrier) {
        return barrier ? regions_[regionBehind_[barrier]].first : shape_.groupLatch;
      };
      Builder builder(region.last);
      if (region.successors.empty()) { // every path ends in a trap or never ends
        builder.CreateBr(shape_.groupLatch);
      } else if (region.successors.size() == 1) {
        builder.CreateBr(target(region.successors[0]));
      } else if (region.isMissingSome()) {
        followWays(region, target);
      } else {
        llvm::Value *next = builder.CreateLoad(builder.getInt32Ty(), region.next);
        llvm::SwitchInst *choice = builder.CreateSwitch(next, target(region.successors[0]));
        for (unsigned i = 1; i < region.successors.size(); ++i)
          choice->addCase(builder.getInt32(i), target(region.successors[i]));
      }
    }
    if (shape_.anyItems)
      Builder(shape_.groupPoint).CreateCondBr(shape_.anyItems, regions_[0].first, shape_.groupLatch);
    else
      Builder(shape_.groupPoint).CreateBr(regions_[0].first);
    shape_.groupPoint->eraseFromParent();
  }

  /// The regions that some work-items go on with run one after another. Where only such are left as look at memory
  /// again, the group gives up its turn; where none are, those at barriers go on.
  ///
  ///   dispatch: if (ready) { number = its lowest bit; ready &= ready - 1; goto region number }
  ///   settle:   if (later) { if (!moved) yield; ready = later; later = moved = 0; goto dispatch }
  ///             if (waiting) { ready = waiting; waiting = 0; goto dispatch }
  ///             the group has ended
  void takeSteps() {
    llvm::LLVMContext &context = kernel_.getContext();
    Builder top(&*entry_.getEntryBlock().begin());
    llvm::Type *bits = top.getInt64Ty();
    const auto make = [&](const char *name, uint64_t first) {
      llvm::AllocaInst *made = top.CreateAlloca(bits, nullptr, name);
      Builder(shape_.groupPoint).CreateStore(top.getInt64(first), made);
      return made;
    };
    llvm::AllocaInst *ready = make("ready", 1), *later = make("later", 0), *waiting = make("waiting", 0),
                     *moved = make("moved", 0), *rounds = make("rounds", 0);
    const auto block = [&](const char *name) { return llvm::BasicBlock::Create(context, name, &entry_); };
    llvm::BasicBlock *dispatch = block("dispatch"), *choose = block("choose"), *settle = block("settle"),
                     *look = block("look.again"), *giveUp = block("give.up"), *again = block("again"),
                     *release = block("release"), *open = block("open");

    Builder builder(dispatch);
    llvm::Value *some = builder.CreateLoad(bits, ready);
    builder.CreateCondBr(builder.CreateIsNotNull(some), choose, settle);
    builder.SetInsertPoint(choose);
    builder.CreateStore(builder.CreateAnd(some, builder.CreateSub(some, builder.getInt64(1))), ready);
    llvm::Value *lowest = builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, some, builder.getTrue());
    llvm::SwitchInst *choice = builder.CreateSwitch(lowest, regions_.front().first);
    for (const Region &region : llvm::drop_begin(regions_))
      choice->addCase(builder.getInt64(numberOf(region)), region.first);

    builder.SetInsertPoint(settle);
    llvm::Value *looking = builder.CreateLoad(bits, later);
    builder.CreateCondBr(builder.CreateIsNotNull(looking), look, release);
    builder.SetInsertPoint(look);
    // Now and then also where some have got on: they may do so for ever.
    llvm::Value *round = builder.CreateAdd(builder.CreateLoad(bits, rounds), builder.getInt64(1));
    builder.CreateStore(round, rounds);
    builder.CreateCondBr(builder.CreateAnd(builder.CreateIsNotNull(builder.CreateLoad(bits, moved)),
                                           builder.CreateIsNotNull(builder.CreateAnd(round, kRoundsOfATurn - 1))),
                         again, giveUp);
    builder.SetInsertPoint(giveUp);
    giveUpTurn(builder, looking, *again);
    builder.SetInsertPoint(again);
    builder.CreateStore(looking, ready);
    for (llvm::AllocaInst *empty : {later, moved}) builder.CreateStore(builder.getInt64(0), empty);
    builder.CreateBr(dispatch);
    builder.SetInsertPoint(release);
    llvm::Value *those = builder.CreateLoad(bits, waiting);
    builder.CreateCondBr(builder.CreateIsNotNull(those), open, shape_.groupLatch);
    builder.SetInsertPoint(open);
    builder.CreateStore(those, ready);
    builder.CreateStore(builder.getInt64(0), waiting);
    builder.CreateBr(dispatch);

    uint64_t behindYields = 0;
    for (const Region &region : regions_)
      if (region.isBehindYield()) behindYields |= uint64_t(1) << numberOf(region);
    for (const Region &region : regions_) {
      builder.SetInsertPoint(region.last);
      llvm::Value *ways = nullptr;
      if (region.next)
        ways = builder.CreateLoad(bits, region.next);
      else
        ways = builder.getInt64(region.successors.empty() ? 0 : uint64_t(1) << stepTo(region.successors.front()));
      const auto add = [&](llvm::AllocaInst *to, uint64_t mask) {
        builder.CreateStore(builder.CreateOr(builder.CreateLoad(bits, to), builder.CreateAnd(ways, mask)), to);
      };
      add(later, behindYields);
      add(waiting, ~behindYields & ~(uint64_t(1) << kEnded));
      add(moved, ~(uint64_t(1) << numberOf(region))); // who looks again has not
      builder.CreateBr(dispatch);
    }
    builder.SetInsertPoint(shape_.groupPoint);
    if (shape_.anyItems)
      builder.CreateCondBr(shape_.anyItems, dispatch, shape_.groupLatch);
    else
      builder.CreateBr(dispatch);
    shape_.groupPoint->eraseFromParent();
    entry_.addFnAttr(kWaits);
  }

  /// Where a work-item of the first of these regions waits.
  void giveUpTurn(Builder &builder, llvm::Value *looking, llvm::BasicBlock &again) {
    llvm::Value *lowest = builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, looking, builder.getTrue());
    llvm::SwitchInst *choice = builder.CreateSwitch(lowest, &again);
    for (const Region &region : regions_) {
      if (!region.isBehindYield()) continue;
      builder.SetInsertPoint(llvm::BasicBlock::Create(builder.getContext(), "give.up", &entry_));
      choice->addCase(builder.getInt64(numberOf(region)), builder.GetInsertBlock());
      builder.SetCurrentDebugLocation(region.barrier->front().getDebugLoc());
      tell(builder, offsetof(abi::RuntimeFunctions, groupYield));
      builder.SetCurrentDebugLocation({});
      builder.CreateBr(&again);
    }
  }

  /// Who has not ended has gone the same way. Where all have, the group has ended.
  void followWays(const Region &region, llvm::function_ref<llvm::BasicBlock *(llvm::BasicBlock *)> target) {
    Builder builder(region.last);
    llvm::Value *ways = builder.CreateLoad(region.next->getAllocatedType(), region.next);
    llvm::SwitchInst *choice = builder.CreateSwitch(ways, shape_.groupLatch);
    for (auto [number, successor] : llvm::enumerate(region.successors))
      if (successor)
        choice->addCase(
            builder.getInt(llvm::APInt::getOneBitSet(ways->getType()->getIntegerBitWidth(), unsigned(number))),
            target(successor));
  }

  llvm::Function &kernel_;
  llvm::FunctionAnalysisManager &analyses_;
  llvm::Function &entry_;
  const abi::Specialization &specialization_;
  const bool waits_; ///< work-items wait for memory to change
  GroupLoop shape_;
  std::vector<Region> regions_;
  llvm::DenseMap<llvm::BasicBlock *, size_t> regionBehind_;
  llvm::MapVector<llvm::AllocaInst *, Slot> slots_;
  /// Of each work-item: it has ended before a barrier at which others wait; or the region that it goes on with.
  llvm::AllocaInst *marks_ = nullptr;
  llvm::SmallPtrSet<const llvm::AllocaInst *, 8> privateMemory_;
  llvm::SmallPtrSet<llvm::Value *, 32> dependsOnGroup_;
  llvm::SmallMapVector<abi::Check, llvm::AllocaInst *, 2> flags_; ///< of each kind of check: bits that should be zero
};

} // namespace

llvm::PreservedAnalyses FormWorkItemLoops::run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  llvm::LLVMContext &context = module.getContext();
  auto *pointer = llvm::PointerType::get(context, 0);
  auto *number = llvm::Type::getInt64Ty(context);
  llvm::Function &entry = createEntry(kernel, request.specialization.target, {pointer, pointer, number, number});
  LoopFormer(kernel, functionAnalyses(module, manager), entry, request.specialization).run();
  kernel.eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
