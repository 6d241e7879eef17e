// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/spill_across_barriers.h"

#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/analysis/invariance.h"
#include "emulator/codegen/analysis/uniformity.h"
#include "emulator/codegen/analysis/ways_to_barriers.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

namespace us::codegen {
namespace {

using BlockSet = llvm::SmallPtrSet<llvm::BasicBlock *, 16>;

bool isBarrierBlock(const llvm::BasicBlock *block) { return isBarrier(&block->front()); }

/// Walks from uses back to where the value is set; says if a barrier lies on the way.
class Liveness {
public:
  explicit Liveness(BlockSet definitions) : definitions_(std::move(definitions)) {}
  /// The value is needed when `block` begins.
  void liveIn(llvm::BasicBlock *block) {
    llvm::SmallVector<llvm::BasicBlock *, 16> work{block};
    while (!work.empty() && !crosses_) {
      llvm::BasicBlock *current = work.pop_back_val();
      if (!seen_.insert(current).second) continue;
      if (isBarrierBlock(current)) crosses_ = true;
      for (llvm::BasicBlock *before : llvm::predecessors(current))
        if (!definitions_.contains(before)) work.push_back(before);
    }
  }
  /// The value is needed when `block` ends.
  void liveOut(llvm::BasicBlock *block) {
    if (!definitions_.contains(block)) liveIn(block);
  }
  bool crossesBarrier() const { return crosses_; }

private:
  BlockSet definitions_, seen_;
  bool crosses_ = false;
};

bool valueCrosses(llvm::Instruction &value) {
  llvm::BasicBlock *home = value.getParent();
  Liveness liveness({home});
  for (llvm::Use &use : value.uses()) {
    auto *user = llvm::cast<llvm::Instruction>(use.getUser());
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(user))
      liveness.liveOut(phi->getIncomingBlock(use));
    else if (user->getParent() != home)
      liveness.liveIn(user->getParent());
    if (liveness.crossesBarrier()) return true;
  }
  return false;
}

/// Everything that is done with the memory of an alloca; false if its address goes where it cannot be followed.
bool collectAccesses(llvm::Value &address, llvm::SmallVectorImpl<llvm::Instruction *> &accesses,
                     llvm::SmallPtrSetImpl<llvm::Value *> &seen) {
  for (llvm::Use &use : address.uses()) {
    auto *user = llvm::cast<llvm::Instruction>(use.getUser());
    accesses.push_back(user);
    if (llvm::isa<llvm::LoadInst, llvm::ICmpInst>(user)) continue;
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      if (store->getValueOperand() == &address) return false;
    } else if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst, llvm::PHINode, llvm::SelectInst>(user)) {
      if (seen.insert(user).second && !collectAccesses(*user, accesses, seen)) return false;
    } else if (auto *call = llvm::dyn_cast<llvm::CallBase>(user)) {
      if (llvm::isa<llvm::LifetimeIntrinsic, llvm::MemIntrinsic>(call)) continue;
      if (!call->isArgOperand(&use) || !call->doesNotCapture(call->getArgOperandNo(&use))) return false;
    } else if (!llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(user)) {
      return false;
    }
  }
  return true;
}

/// Private memory whose contents may be needed behind a barrier. Its lifetime begins at its lifetime.start, if Clang
/// wrote one.
bool memoryCrosses(llvm::AllocaInst &memory) {
  llvm::SmallVector<llvm::Instruction *, 32> accesses;
  llvm::SmallPtrSet<llvm::Value *, 8> seen{&memory};
  if (!collectAccesses(memory, accesses, seen)) return true;
  BlockSet starts;
  llvm::DenseMap<llvm::BasicBlock *, llvm::Instruction *> firstStart;
  for (llvm::Instruction *access : accesses)
    if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(access);
        intrinsic && intrinsic->getIntrinsicID() == llvm::Intrinsic::lifetime_start) {
      starts.insert(access->getParent());
      llvm::Instruction *&first = firstStart[access->getParent()];
      if (!first || access->comesBefore(first)) first = access;
    }
  // Without a start the memory lives from the entry, whose own region needs nothing.
  if (starts.empty()) starts.insert(&memory.getFunction()->getEntryBlock());
  Liveness liveness(starts);
  for (llvm::Instruction *access : accesses) {
    if (access->isLifetimeStartOrEnd()) continue;
    llvm::Instruction *start = firstStart.lookup(access->getParent());
    const bool startsHere = start ? start->comesBefore(access) : starts.contains(access->getParent());
    if (!startsHere) liveness.liveIn(access->getParent());
    if (liveness.crossesBarrier()) return true;
  }
  return false;
}

class Spiller {
public:
  Spiller(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses)
      : kernel_(kernel), invariance_(analyses.getResult<InvarianceAnalysis>(kernel)),
        uniformity_(analyses.getResult<UniformityAnalysis>(kernel)),
        someMayEnd_(kernel.hasFnAttribute(kMaySkipBarriers) &&
                    analyses.getResult<WaysToBarriersAnalysis>(kernel).mayEnd()),
        waits_(waitsForMemory(kernel)) {}

  void run() {
    for (llvm::Instruction &instruction : llvm::instructions(kernel_))
      if (auto *memory = llvm::dyn_cast<llvm::AllocaInst>(&instruction); memory && memoryCrosses(*memory))
        mark(*memory, "item");
    recomputePlaces();
    llvm::SmallVector<llvm::Instruction *, 32> crossing;
    for (llvm::Instruction &instruction : llvm::instructions(kernel_))
      if (!llvm::isa<llvm::AllocaInst>(instruction) && invariance_.of(&instruction) == Invariance::Level::Item &&
          valueCrosses(instruction))
        crossing.push_back(&instruction);
    // Decide before anything changes: the analyses describe the kernel as it is now.
    llvm::SmallPtrSet<llvm::Instruction *, 16> uniform;
    for (llvm::Instruction *value : crossing)
      if (uniformity_.isUniform(*value) && !waits_ && !(someMayEnd_ && value->getType()->isAggregateType()))
        uniform.insert(value);
    llvm::SmallVector<llvm::Instruction *, 32> cheap, made;
    for (llvm::Instruction *value : crossing) (cost(*value) <= kCheap ? cheap : made).push_back(value);
    kept_.insert(made.begin(), made.end());
    for (llvm::Instruction *value : made)
      if (!uniform.contains(value) && isMadeOfAnother(*value)) cheap.push_back(value);
    for (llvm::Instruction *value : cheap) kept_.erase(value);
    for (llvm::Instruction *value : cheap) recompute(*value);
    for (llvm::Instruction *value : made)
      if (kept_.contains(value)) spill(*value, uniform.contains(value) ? "group" : "item");
  }

private:
  static constexpr unsigned kCheap = 8, kExpensive = 1000; ///< instructions

  /// A place in private memory is computed again from its index, whatever that takes: of memory whose address lies in
  /// other memory nobody knows who accesses it.
  void recomputePlaces() {
    llvm::SmallVector<llvm::Instruction *, 16> places;
    for (llvm::Instruction &instruction : llvm::instructions(kernel_))
      if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(instruction) &&
          llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(&instruction, 0)))
        places.push_back(&instruction);
    for (llvm::Instruction *place : llvm::reverse(places)) { // those that others are computed from come last
      if (!valueCrosses(*place)) continue;
      llvm::DenseMap<llvm::BasicBlock *, llvm::Instruction *> copies;
      for (llvm::Use &use : llvm::make_early_inc_range(place->uses())) {
        auto *phi = llvm::dyn_cast<llvm::PHINode>(use.getUser());
        auto *user = llvm::cast<llvm::Instruction>(use.getUser());
        llvm::BasicBlock *block = phi ? phi->getIncomingBlock(use) : user->getParent();
        if (block == place->getParent()) continue;
        llvm::Instruction *&copy = copies[block];
        if (!copy) {
          copy = place->clone();
          copy->insertBefore(*block, block->getFirstInsertionPt());
        }
        use.set(copy);
      }
    }
  }

  /// What computing the value again from ids and invariants takes.
  unsigned cost(llvm::Value &value) {
    if (invariance_.of(&value) != Invariance::Level::Item) return 0;
    auto &instruction = llvm::cast<llvm::Instruction>(value);
    const llvm::StringRef name = machineName(&instruction);
    if (name == "local_id" || name == "global_id") return 1;
    if (llvm::isa<llvm::PHINode, llvm::AllocaInst, llvm::FreezeInst, llvm::CallBase>(instruction) ||
        instruction.mayReadOrWriteMemory() || instruction.getType()->isVoidTy() ||
        !llvm::isSafeToSpeculativelyExecute(&instruction))
      return kExpensive;
    unsigned total = 1;
    for (llvm::Value *operand : instruction.operands())
      if (total += cost(*operand); total > kCheap) return kExpensive;
    return total;
  }

  /// One instruction makes it of another value that is kept, which is as old as it is as both are of one block, and of
  /// invariants.
  bool isMadeOfAnother(llvm::Instruction &value) {
    if (!llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst>(value) ||
        !llvm::isSafeToSpeculativelyExecute(&value))
      return false;
    llvm::Instruction *other = nullptr;
    for (llvm::Value *operand : value.operands()) {
      if (invariance_.of(operand) != Invariance::Level::Item || operand == other) continue;
      auto *one = llvm::dyn_cast<llvm::Instruction>(operand);
      if (other || !one || !kept_.contains(one) || one->getParent() != value.getParent() || isMadeOfAnother(*one))
        return false;
      other = one;
    }
    return other;
  }

  /// A copy at the top of each block that uses it.
  llvm::Value *copyIn(llvm::BasicBlock &block, llvm::Value &value) {
    if (invariance_.of(&value) != Invariance::Level::Item) return &value;
    if (auto *kept = llvm::dyn_cast<llvm::Instruction>(&value); kept && kept_.contains(kept)) return &value;
    llvm::Value *&copy = copies_[{&block, &value}];
    if (copy) return copy;
    auto *clone = llvm::cast<llvm::Instruction>(value).clone();
    llvm::SmallVector<llvm::Value *, 4> operands;
    for (llvm::Use &operand : clone->operands())
      if (!llvm::isa<llvm::Function>(operand)) operand.set(copyIn(block, *operand));
    clone->insertBefore(insertionPoint(block));
    copies_[{&block, &value}] = clone;
    return clone;
  }

  /// Behind the phis and earlier copies: operands are copied before what uses them.
  llvm::Instruction *insertionPoint(llvm::BasicBlock &block) {
    llvm::Instruction *&point = points_[&block];
    if (!point) point = &*block.getFirstInsertionPt();
    return point;
  }

  void recompute(llvm::Instruction &value) {
    for (llvm::Use &use : llvm::make_early_inc_range(value.uses())) {
      auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
      llvm::BasicBlock *block = phi ? phi->getIncomingBlock(use) : user->getParent();
      if (block != value.getParent()) use.set(copyIn(*block, value));
    }
  }

  void spill(llvm::Instruction &value, const char *kind) {
    llvm::Instruction *top = &*kernel_.getEntryBlock().begin();
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&value)) {
      // The phi's own slot is written on the edges; behind it, a second slot keeps the value for uses that come after
      // the edges have been written again.
      auto after = phi->getParent()->getFirstInsertionPt();
      auto *kept = new llvm::AllocaInst(value.getType(), 0, value.getName() + ".slot", top->getIterator());
      llvm::IRBuilder<> builder(&*after);
      auto *store = builder.CreateStore(phi, kept);
      replaceUses(value, *kept, store);
      mark(*kept, kind);
      return;
    }
    auto *slot = new llvm::AllocaInst(value.getType(), 0, value.getName() + ".slot", top->getIterator());
    llvm::IRBuilder<> builder(value.getParent(), std::next(value.getIterator()));
    replaceUses(value, *slot, builder.CreateStore(&value, slot));
    mark(*slot, kind);
  }

  void replaceUses(llvm::Instruction &value, llvm::AllocaInst &slot, llvm::Instruction *store) {
    for (llvm::Use &use : llvm::make_early_inc_range(value.uses())) {
      auto *user = llvm::cast<llvm::Instruction>(use.getUser());
      if (user == store) continue;
      auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
      llvm::BasicBlock *block = phi ? phi->getIncomingBlock(use) : user->getParent();
      if (block == value.getParent() && (phi || store->comesBefore(user) || user == &value)) continue;
      llvm::Value *&reload = reloads_[{block, &slot}];
      if (!reload) {
        auto *load =
            new llvm::LoadInst(value.getType(), &slot, value.getName() + ".reload", block->getFirstInsertionPt());
        reload = load;
      }
      use.set(reload);
    }
  }

  void mark(llvm::AllocaInst &memory, const char *kind) {
    llvm::LLVMContext &context = memory.getContext();
    memory.setMetadata("us.slot", llvm::MDNode::get(context, llvm::MDString::get(context, kind)));
  }

  llvm::Function &kernel_;
  Invariance &invariance_;
  const Uniformity &uniformity_;
  const bool someMayEnd_; ///< what the others have in common is put together bit by bit (form_work_item_loops)
  const bool waits_;      ///< so work-items are in different turns of loops
  llvm::SmallPtrSet<const llvm::Instruction *, 32> kept_; ///< in slots
  llvm::DenseMap<std::pair<llvm::BasicBlock *, llvm::Value *>, llvm::Value *> copies_;
  llvm::DenseMap<std::pair<llvm::BasicBlock *, llvm::AllocaInst *>, llvm::Value *> reloads_;
  llvm::DenseMap<llvm::BasicBlock *, llvm::Instruction *> points_;
};

} // namespace

llvm::PreservedAnalyses SpillAcrossBarriers::run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  if (llvm::all_of(kRegionEnds, [&](llvm::StringRef name) { return machineCalls(kernel, name).empty(); }))
    return llvm::PreservedAnalyses::all();
  Spiller(kernel, functionAnalyses(module, manager)).run();
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
