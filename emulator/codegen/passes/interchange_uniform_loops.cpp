// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/interchange_uniform_loops.h"

#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/analysis/stride.h"
#include "emulator/codegen/analysis/uniformity.h"
#include "emulator/codegen/analysis/ways_to_barriers.h"
#include "emulator/codegen/instrument/check_races.h"
#include "emulator/codegen/machine_calls.h"
#include "emulator/codegen/passes/choose_vector_form.h"
#include "emulator/codegen/remarks.h"
#include "emulator/codegen/unroll_loop.h"
#include "emulator/codegen/vectorize/cost.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <optional>

namespace us::codegen {
namespace {

using BlockSet = llvm::SmallPtrSet<llvm::BasicBlock *, 16>;

/// Turns of a loop that are done as one, and instructions that these may have in all.
constexpr unsigned kMostTurns = 4, kLongestTurn = 100;
/// Not more than these leave what was read in the cache.
constexpr unsigned kFewTurns = 32;
/// Values of a work-item from turn to turn: with fewer, a multiply-add waits for that of the last turn. Where all that
/// differs is near, in local memory, a few are enough.
constexpr unsigned kMostCarried = 7, kMostCarriedNear = 3;

class Interchanger {
public:
  Interchanger(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses,
               const abi::Specialization &specialization)
      : kernel_(kernel), specialization_(specialization), uniformity_(analyses.getResult<UniformityAnalysis>(kernel)),
        loops_(analyses.getResult<llvm::LoopAnalysis>(kernel)), stride_(analyses.getResult<StrideAnalysis>(kernel)),
        divergent_(analyses.getResult<DivergentBlocksAnalysis>(kernel)),
        dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(kernel)),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(kernel)) {
    for (llvm::CallInst *barrier : machineCalls(kernel, "barrier")) barriers_.insert(barrier->getParent());
  }

  bool run() {
    llvm::SmallVector<llvm::Loop *, 8> chosen;
    for (llvm::Loop *loop : loops_) (void)choose(*loop, chosen);
    // Everything is decided; now the kernel changes.
    for (llvm::Loop *loop : chosen) interchange(*loop);
    return !chosen.empty();
  }

  /// How many turns to do as one, of those that will be interchanged: what is carried around the loop goes through
  /// memory once in so many of them.
  llvm::SmallVector<std::pair<llvm::Loop *, unsigned>, 4> turnsToJoin() {
    llvm::SmallVector<llvm::Loop *, 8> chosen;
    for (llvm::Loop *loop : loops_) (void)choose(*loop, chosen);
    llvm::SmallVector<std::pair<llvm::Loop *, unsigned>, 4> found;
    for (llvm::Loop *loop : chosen) {
      if (!loop->isInnermost() || hasBarrier(*loop) || !loop->isLCSSAForm(dominators_)) continue;
      const bool carries =
          llvm::any_of(loop->getHeader()->phis(), [&](llvm::PHINode &phi) { return !uniformity_.isUniform(phi); });
      unsigned size = 0;
      for (llvm::BasicBlock *block : loop->blocks()) size += unsigned(block->size());
      const unsigned turns = std::min(kMostTurns, llvm::bit_floor(kLongestTurn / size));
      if (carries && turns > 1) found.push_back({loop, turns});
    }
    return found;
  }

private:
  bool hasBarrier(const llvm::Loop &loop) {
    return llvm::any_of(barriers_, [&](llvm::BasicBlock *block) { return loop.contains(block); });
  }

  /// Outer loops are chosen only if all loops inside are: else the work-item loop would not become innermost.
  bool choose(llvm::Loop &loop, llvm::SmallVectorImpl<llvm::Loop *> &chosen) {
    const size_t before = chosen.size();
    bool inner = true;
    for (llvm::Loop *child : loop) inner &= choose(*child, chosen);
    const bool barrier = hasBarrier(loop);
    const char *reason = whyUnsuited(loop);
    if (!reason && !barrier) reason = inner ? whyUseless(loop) : "a loop in it is not interchanged";
    if (!reason && !barrier && carriesMuch(loop)) reason = "it carries many values, for which registers are better";
    if (!reason) {
      chosen.push_back(&loop);
      return true;
    }
    remark(*loop.getHeader(), loop.getStartLoc(),
           [&] { return std::string("the loop is not interchanged with the work-items: ") + reason; });
    // A loop that stays inside the work-item loops takes everything in it along, unless it has barriers of its own.
    if (!barrier) chosen.truncate(before);
    return false;
  }

  /// What keeps a loop from being interchanged at all; null: nothing.
  const char *whyUnsuited(llvm::Loop &loop) {
    llvm::BasicBlock *latch = loop.getLoopLatch();
    if (!latch || !loop.getLoopPreheader() || loop.getExitingBlock() != latch || !loop.getExitBlock() ||
        !loop.hasDedicatedExits())
      return "it is left in more than one place";
    if (!llvm::isa<llvm::BranchInst>(latch->getTerminator()) || !uniformity_.hasUniformBranch(*latch))
      return "work-items leave it after different numbers of turns";
    // To a loop with barriers come all but those that end elsewhere.
    if (divergent_.contains(loop.getHeader()) && !(hasBarrier(loop) && kernel_.hasFnAttribute(kMaySkipBarriers)))
      return "not all work-items come to it";
    return nullptr;
  }

  /// From one turn of a loop to the next, not only within one, as in a loop inside.
  bool changes(llvm::Value &pointer, const llvm::Loop &loop) {
    return llvm::SCEVExprContains(evolution_.getSCEV(&pointer), [&](const llvm::SCEV *part) {
      if (auto *counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part)) return counter->getLoop() == &loop;
      auto *value = llvm::dyn_cast<llvm::SCEVUnknown>(part);
      return value && !loop.isLoopInvariant(value->getValue());
    });
  }

  /// Whether work-items come to other memory in each of many turns. Where all do so together it is read in long rows;
  /// else a vector of work-items keeps what it carries in registers while it goes round.
  bool streams(llvm::Loop &loop) {
    const unsigned turns = evolution_.getSmallConstantTripCount(&loop);
    if (turns && turns <= kFewTurns) return false;
    for (llvm::BasicBlock *block : loop.blocks())
      for (llvm::Instruction &instruction : *block) {
        llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
        if (pointer && stride_.of(pointer) != 0 && changes(*pointer, loop)) return true;
      }
    return false;
  }

  /// Work-items that go round a loop together may be vectorized there.
  bool areVectorized() const {
    return specialization_.vectorPlan != abi::VectorPlan::Never && vectorCosts(specialization_.target) &&
           !needsOrder(kernel_);
  }

  /// Why it would not pay; null: it would.
  const char *whyUseless(llvm::Loop &loop) {
    if (areVectorized() && !streams(loop)) return "a vector of work-items goes round it";
    if (specialization_.localSize[0] < 8) return "the work-groups have less than 8 work-items in a row";
    for (llvm::BasicBlock *block : loop.blocks())
      for (llvm::Instruction &instruction : *block) {
        if (instruction.isAtomic() || instruction.isVolatile()) return "an atomic or volatile access is in it";
        if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
          if (machineName(call).empty() && !llvm::isa<llvm::IntrinsicInst>(call)) return "a call is in it";
        llvm::Value *pointer = llvm::getPointerOperand(&instruction);
        if (!pointer || llvm::isa<llvm::GetElementPtrInst>(instruction)) continue;
        const llvm::Value *object = llvm::getUnderlyingObject(pointer, 0);
        if (llvm::isa<llvm::AllocaInst>(object)) return "it accesses a private array";
        // A table for the rare case of a mathematical function: seldom read.
        const auto *table = llvm::dyn_cast<llvm::GlobalVariable>(object);
        if (table && table->isConstant() && divergent_.contains(block)) continue;
        const auto stride = stride_.of(pointer);
        const auto size = static_cast<int64_t>(
            kernel_.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&instruction)).getFixedValue());
        if (!stride || (*stride != 0 && *stride != size && !isComponent(*stride, size)))
          return "neighbouring work-items do not access neighbouring elements";
      }
    return nullptr;
  }

  /// Work-items side by side keep them in registers, and have enough of them to do at once; round work-items each is
  /// read and written in each turn.
  bool carriesMuch(const llvm::Loop &loop) {
    if (!areVectorized()) return false;
    const auto carried =
        llvm::count_if(loop.getHeader()->phis(), [&](llvm::PHINode &phi) { return !uniformity_.isUniform(phi); });
    return carried > kMostCarried || (carried > kMostCarriedNear && staysInLocalMemory(loop));
  }

  /// Whether what differs between work-items is near in any order.
  bool staysInLocalMemory(const llvm::Loop &loop) {
    return llvm::all_of(loop.blocks(), [&](llvm::BasicBlock *block) {
      return llvm::all_of(*block, [&](llvm::Instruction &instruction) {
        llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
        const llvm::Value *object = pointer ? llvm::getUnderlyingObject(pointer, 0) : nullptr;
        if (!pointer || object->getType()->getPointerAddressSpace() == 3) return true;
        auto *place = llvm::dyn_cast<llvm::Instruction>(pointer);
        return !place || uniformity_.isUniform(*place);
      });
    });
  }

  /// Work-items move components of vectors, which choose_vector_form split: together these are contiguous.
  bool isComponent(int64_t stride, int64_t size) {
    return kernel_.hasFnAttribute(kSplitVectors) && stride % size == 0 && stride / size > 0 && stride / size <= 4;
  }

  static void boundary(llvm::Instruction *before) {
    llvm::IRBuilder<> builder(before);
    createMachineCall(builder, "boundary", builder.getVoidTy());
  }

  /// In the next turn it is what differs between work-items, and is written to their slots before the tail.
  bool isCarried(llvm::Instruction &value) {
    return llvm::any_of(value.users(), [&](llvm::User *user) {
      auto *phi = llvm::dyn_cast<llvm::PHINode>(user);
      return phi && !uniformity_.isUniform(*phi);
    });
  }

  /// From the end: instructions that are the same for the group and change nothing.
  llvm::Instruction *uniformTail(llvm::BasicBlock &block) {
    llvm::Instruction *first = block.getTerminator();
    while (llvm::Instruction *previous = first->getPrevNode()) {
      if (llvm::isa<llvm::PHINode>(previous) || previous->mayHaveSideEffects() || previous->mayReadFromMemory() ||
          !uniformity_.isUniform(*previous) || isCarried(*previous))
        break;
      first = previous;
    }
    return first;
  }

  /// Moves what only the tail needs down to it.
  void sinkControl(llvm::BasicBlock &block) {
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::reverse(block))) {
      if (instruction.isTerminator() || llvm::isa<llvm::PHINode>(instruction)) continue;
      if (instruction.mayHaveSideEffects() || instruction.mayReadFromMemory() || !uniformity_.isUniform(instruction) ||
          isCarried(instruction))
        continue;
      llvm::Instruction *tail = uniformTail(block);
      if (tail == &instruction || tail->comesBefore(&instruction)) continue;
      const bool neededBefore = llvm::any_of(instruction.users(), [&](llvm::User *user) {
        auto *use = llvm::cast<llvm::Instruction>(user);
        return use->getParent() == &block && !llvm::isa<llvm::PHINode>(use) && use->comesBefore(tail);
      });
      if (!neededBefore) instruction.moveBefore(tail);
    }
  }

  void interchange(llvm::Loop &loop) {
    llvm::BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch(), *exit = loop.getExitBlock();
    llvm::BasicBlock *preheader = loop.getLoopPreheader();
    sinkControl(*latch);
    llvm::Instruction *tail = uniformTail(*latch);
    keepInSlots(loop, *preheader, *header, *latch, tail, *exit);
    tail = uniformTail(*latch);
    boundary(tail);
    boundary(&*header->getFirstInsertionPt());
    boundary(&*exit->getFirstInsertionPt());
  }

  /// A value for the next turn is written where its block ends, before the next barrier, if nobody reads the slot
  /// behind that in this turn; else at the end of the turn.
  static llvm::Instruction *whereToStore(llvm::Value &value, const BlockSet &readers, const llvm::Loop &loop,
                                         llvm::Instruction *tail) {
    auto *made = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!made || !loop.contains(made) || made->getParent() == tail->getParent()) return tail;
    BlockSet seen;
    llvm::SmallVector<llvm::BasicBlock *, 16> open(llvm::successors(made->getParent()));
    while (!open.empty()) {
      llvm::BasicBlock *block = open.pop_back_val();
      if (block == loop.getHeader() || !loop.contains(block) || !seen.insert(block).second) continue;
      if (readers.contains(block)) return tail;
      open.append(llvm::succ_begin(block), llvm::succ_end(block));
    }
    return seen.contains(made->getParent()) ? tail : made->getParent()->getTerminator();
  }

  /// What differs between work-items and is carried around the loop lives in memory, written where the body ends.
  void keepInSlots(llvm::Loop &loop, llvm::BasicBlock &preheader, llvm::BasicBlock &header, llvm::BasicBlock &latch,
                   llvm::Instruction *tail, llvm::BasicBlock &exit) {
    llvm::SmallVector<llvm::PHINode *, 8> carried;
    for (llvm::PHINode &phi : header.phis()) {
      if (uniformity_.isUniform(phi)) continue;
      const bool usedBehind = llvm::any_of(phi.users(), [&](llvm::User *user) {
        auto *instruction = llvm::cast<llvm::Instruction>(user);
        return !loop.contains(instruction) ||
               (instruction->getParent() == &latch && !llvm::isa<llvm::PHINode>(instruction) &&
                !instruction->comesBefore(tail));
      });
      if (!usedBehind) carried.push_back(&phi);
    }
    struct Store {
      llvm::Value *value;
      llvm::AllocaInst *slot;
    };
    llvm::SmallVector<Store, 8> stores;
    llvm::DenseMap<llvm::PHINode *, llvm::AllocaInst *> slots;
    for (llvm::PHINode *phi : carried)
      slots[phi] = new llvm::AllocaInst(phi->getType(), 0, phi->getName() + ".slot", kernel_.getEntryBlock().begin());
    llvm::IRBuilder<> before(preheader.getTerminator());
    for (llvm::PHINode *phi : carried) before.CreateStore(phi->getIncomingValueForBlock(&preheader), slots[phi]);

    // One load in each block that reads it, before anything there can write it.
    llvm::DenseMap<std::pair<llvm::BasicBlock *, llvm::PHINode *>, llvm::Value *> loads;
    auto valueIn = [&](llvm::BasicBlock &block, llvm::PHINode *phi) {
      llvm::Value *&load = loads[{&block, phi}];
      if (!load) load = new llvm::LoadInst(phi->getType(), slots[phi], phi->getName(), block.getFirstInsertionPt());
      return load;
    };
    for (llvm::PHINode *phi : carried) {
      llvm::Value *next = phi->getIncomingValueForBlock(&latch);
      auto *other = llvm::dyn_cast<llvm::PHINode>(next);
      stores.push_back({other && slots.count(other) ? valueIn(latch, other) : next, slots[phi]});
      // Behind the loop the slot holds what the last turn made.
      for (llvm::PHINode &after : llvm::make_early_inc_range(exit.phis()))
        if (after.getIncomingValueForBlock(&latch) == next && !slots.count(&after)) {
          auto *load = new llvm::LoadInst(after.getType(), slots[phi], after.getName(), exit.getFirstInsertionPt());
          after.replaceAllUsesWith(load);
          after.eraseFromParent();
        }
    }
    for (llvm::PHINode *phi : carried)
      for (llvm::Use &use : llvm::make_early_inc_range(phi->uses())) {
        auto *user = llvm::cast<llvm::Instruction>(use.getUser());
        auto *join = llvm::dyn_cast<llvm::PHINode>(user);
        if (join && slots.count(join) && join->getParent() == &header) continue;
        use.set(valueIn(join ? *join->getIncomingBlock(use) : *user->getParent(), phi));
      }
    llvm::DenseMap<llvm::AllocaInst *, BlockSet> readers;
    for (auto &[where, load] : loads)
      if (loop.contains(where.first)) readers[slots[where.second]].insert(where.first);
    for (const Store &store : stores)
      llvm::IRBuilder<>(whereToStore(*store.value, readers[store.slot], loop, tail))
          .CreateStore(store.value, store.slot);
    for (llvm::PHINode *phi : carried) phi->replaceAllUsesWith(llvm::PoisonValue::get(phi->getType()));
    for (llvm::PHINode *phi : carried) phi->eraseFromParent();
  }

  llvm::Function &kernel_;
  const abi::Specialization &specialization_;
  const Uniformity &uniformity_;
  const llvm::LoopInfo &loops_;
  Stride &stride_;
  const DivergentBlocks &divergent_;
  const llvm::DominatorTree &dominators_;
  llvm::ScalarEvolution &evolution_;
  BlockSet barriers_;
};

/// What is left of a number of turns that is no multiple goes round a loop of its own, which is interchanged too.
void joinTurns(llvm::Loop &loop, unsigned turns, llvm::FunctionAnalysisManager &analyses) {
  llvm::UnrollLoopOptions options{};
  options.Count = turns;
  options.Runtime = options.AllowExpensiveTripCount = true;
  unrollLoop(loop, options, analyses);
}

} // namespace

llvm::PreservedAnalyses InterchangeUniformLoops::run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  if (usesSubGroups(kernel)) return llvm::PreservedAnalyses::all();  // a turn is a vector
  if (waitsForMemory(kernel)) return llvm::PreservedAnalyses::all(); // work-items are in different turns
  llvm::FunctionAnalysisManager &analyses = functionAnalyses(module, manager);
  const auto joined = Interchanger(kernel, analyses, request.specialization).turnsToJoin();
  for (auto [loop, turns] : joined) joinTurns(*loop, turns, analyses);
  if (!joined.empty()) analyses.invalidate(kernel, llvm::PreservedAnalyses::none());
  const bool changed = Interchanger(kernel, analyses, request.specialization).run();
  return changed || !joined.empty() ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
