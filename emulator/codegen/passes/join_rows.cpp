// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/join_rows.h"

#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/analysis/sub_group_waits.h"
#include "emulator/codegen/group_loop.h"
#include "emulator/codegen/instrument/check_races.h"
#include "emulator/codegen/vectorize/cost.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace us::codegen {
namespace {

using namespace llvm;
using Builder = IRBuilder<>;

/// Vectors of a row at once, and instructions that all that are joined may have.
constexpr unsigned kMostOfRow = 4, kMostJoined = 2000;

/// Rows at once: eight sums are under way at a time (two begin in each cycle, and take four). With AVX2 a row of 16
/// work-items has two of them.
unsigned mostRows(const VectorCosts &costs) { return costs.longestBits == 512 ? 8 : 4; }

/// The least share of what is calculated for vectors that rows have in common.
constexpr float kLeastShared = 0.2f;

/// Of a load or store, under a mask or not.
const Value &placeOfAccess(const Instruction &access) {
  if (const Value *place = getLoadStorePointerOperand(&access)) return *place;
  const auto &call = cast<IntrinsicInst>(access);
  return *call.getArgOperand(call.getIntrinsicID() == Intrinsic::masked_store ? 1 : 0);
}

/// Whether no turn's access depends on another's. What loops over work-items access in global and local memory does
/// not; what they have in private memory one after another is in no access group.
bool isIndependent(Instruction &instruction, const Loop &loop) {
  if (!instruction.mayReadOrWriteMemory()) return true;
  if (instruction.isAtomic() || instruction.isVolatile()) return false;
  if (auto *call = dyn_cast<CallBase>(&instruction)) {
    auto *known = dyn_cast<IntrinsicInst>(call);
    if (!known) return false;
    const Intrinsic::ID id = known->getIntrinsicID();
    if (id != Intrinsic::masked_load && id != Intrinsic::masked_store) return false;
  }
  if (instruction.hasMetadata(LLVMContext::MD_invariant_load)) return true;
  MDNode *own = instruction.getMetadata(LLVMContext::MD_access_group);
  if (MDNode *parallel = findOptionMDForLoop(&loop, kParallelAccesses))
    for (const MDOperand &group : drop_begin(parallel->operands())) {
      if (own == group) return true;
      if (own && is_contained(own->operands(), group)) return true;
    }
  const unsigned space = getUnderlyingObject(&placeOfAccess(instruction), 0)->getType()->getPointerAddressSpace();
  return space >= 1 && space <= 3;
}

class Joiner {
public:
  Joiner(Loop &loop, ScalarEvolution &evolution) : loop_(loop), evolution_(evolution) {}

  /// Whether its turns may be done instruction by instruction.
  bool isSuited() {
    latch_ = loop_.getLoopLatch();
    if (!latch_ || loop_.getExitingBlock() != latch_ || !loop_.getLoopPreheader()) return false;
    auto *branch = dyn_cast<BranchInst>(latch_->getTerminator());
    if (!branch || !branch->isConditional()) return false;
    for (PHINode &phi : loop_.getHeader()->phis()) {
      if (!evolution_.isSCEVable(phi.getType())) return false;
      const auto *counter = dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(&phi));
      if (!counter || counter->getLoop() != &loop_ || !counter->isAffine()) return false;
      const auto *step = dyn_cast<SCEVConstant>(counter->getStepRecurrence(evolution_));
      if (!step) return false;
      steps_[&phi] = step->getAPInt().getSExtValue();
    }
    findApart();
    for (BasicBlock *block : loop_.blocks())
      for (Instruction &instruction : *block) {
        if (!isIndependent(instruction, loop_)) return false;
        if (instruction.mayHaveSideEffects() && !writesItsOwn(instruction)) return false;
        if (!apart_.contains(&instruction)) continue;
        if (instruction.isTerminator() && block != latch_) return false;
        if (any_of(instruction.users(), [&](User *user) { return !loop_.contains(cast<Instruction>(user)); }))
          return false;
      }
    return true;
  }

  unsigned size() const { return unsigned(apart_.size()); }
  bool isApart(const Instruction &instruction) const {
    return apart_.contains(const_cast<Instruction *>(&instruction));
  }
  Loop &loop() { return loop_; }

  void join(unsigned turns) {
    BasicBlock *header = loop_.getHeader();
    for (Instruction *instruction : apart_) {
      if (instruction->isTerminator()) continue;
      auto &versions = versions_[instruction];
      if (auto *phi = dyn_cast<PHINode>(instruction); phi && phi->getParent() == header) {
        Builder builder(header, header->getFirstInsertionPt());
        for (unsigned turn = 1; turn < turns; ++turn) versions.push_back(moved(builder, *phi, turn * steps_[phi]));
        continue;
      }
      Instruction *last = instruction;
      for (unsigned turn = 1; turn < turns; ++turn) {
        Instruction *copy = instruction->clone();
        copy->insertAfter(last);
        if (instruction->hasName()) copy->setName(instruction->getName());
        versions.push_back(copy);
        last = copy;
      }
    }
    for (Instruction *instruction : apart_) {
      if (instruction->getParent() == header && isa<PHINode>(instruction)) continue;
      if (instruction->isTerminator()) continue;
      for (auto [number, copy] : enumerate(versions_[instruction]))
        for (Use &use : cast<Instruction>(copy)->operands()) use.set(version(use.get(), unsigned(number)));
    }
    // The next turns begin behind the last of these.
    for (PHINode &phi : header->phis()) {
      Use &next = phi.getOperandUse(unsigned(phi.getBasicBlockIndex(latch_)));
      next.set(version(next.get(), turns - 2));
    }
    auto *branch = cast<BranchInst>(latch_->getTerminator());
    branch->setCondition(version(branch->getCondition(), turns - 2));
  }

private:
  /// A place that is written by each turn is for one turn after the other.
  bool writesItsOwn(const Instruction &instruction) {
    auto *place = instruction.mayWriteToMemory() ? dyn_cast<Instruction>(&placeOfAccess(instruction)) : nullptr;
    return place && isApart(*place);
  }

  /// What differs from turn to turn, in the order of the blocks.
  void findApart() {
    SmallPtrSet<const Instruction *, 32> found;
    SmallVector<Instruction *, 32> open;
    for (PHINode &phi : loop_.getHeader()->phis()) open.push_back(&phi);
    while (!open.empty()) {
      Instruction *one = open.pop_back_val();
      if (!found.insert(one).second) continue;
      for (User *user : one->users()) {
        auto *next = cast<Instruction>(user);
        if (loop_.contains(next)) open.push_back(next);
      }
    }
    for (BasicBlock *block : loop_.blocks())
      for (Instruction &instruction : *block)
        if (found.contains(&instruction)) apart_.insert(&instruction);
  }

  static Value *moved(Builder &builder, PHINode &phi, int64_t distance) {
    if (phi.getType()->isPointerTy())
      return builder.CreateGEP(builder.getInt8Ty(), &phi, builder.getInt64(uint64_t(distance)));
    return builder.CreateAdd(&phi, ConstantInt::getSigned(phi.getType(), distance));
  }

  Value *version(Value *value, unsigned number) {
    auto *instruction = dyn_cast<Instruction>(value);
    const auto found = instruction ? versions_.find(instruction) : versions_.end();
    return found == versions_.end() ? value : found->second[number];
  }

  Loop &loop_;
  ScalarEvolution &evolution_;
  BasicBlock *latch_ = nullptr;
  SmallDenseMap<PHINode *, int64_t, 4> steps_;
  SmallSetVector<Instruction *, 32> apart_;
  DenseMap<const Instruction *, SmallVector<Value *, 4>> versions_;
};

/// What a loop calculates in vectors where it spends its time, in registers: what its turns share, what each has, and
/// how many of each turn's are needed at once. Elements that are loaded or splatted can be made again.
struct Work {
  unsigned shared = 0, apart = 0, live = 0;

  bool isWorthJoining() const { return shared > 0 && float(shared) >= kLeastShared * float(shared + apart); }
};

/// Of what an instruction makes, or stores.
unsigned registersOf(const Instruction &made, const VectorCosts &costs) {
  auto *store = dyn_cast<StoreInst>(&made);
  return costs.registersOf(*(store ? store->getValueOperand() : &made)->getType());
}

unsigned depthBelow(const Loop &loop, const LoopInfo &loops) {
  unsigned depth = 0;
  for (BasicBlock *block : loop.blocks()) depth = std::max(depth, loops.getLoopDepth(block));
  return depth;
}

Work vectorWorkOf(Joiner &joiner, const LoopInfo &loops, const VectorCosts &costs) {
  Work work;
  const unsigned depth = depthBelow(joiner.loop(), loops);
  for (BasicBlock *block : joiner.loop().blocks()) {
    if (loops.getLoopDepth(block) != depth) continue;
    // From the end on: a value is needed from where it is made to its last use.
    SmallPtrSet<const Value *, 16> live, fromOutside;
    unsigned needed = 0;
    const auto use = [&](const Value *value) {
      auto *made = dyn_cast<Instruction>(value);
      if (!made) return;
      if (!joiner.loop().contains(made) && fromOutside.insert(made).second) work.shared += registersOf(*made, costs);
      if (!joiner.isApart(*made)) return;
      const bool isFromOutside = loops.getLoopFor(made->getParent()) != loops.getLoopFor(block);
      if (!isFromOutside && isa<LoadInst, ShuffleVectorInst>(made)) return;
      if (live.insert(value).second) needed += registersOf(*made, costs);
    };
    for (BasicBlock *next : successors(block))
      for (PHINode &phi : next->phis()) use(phi.getIncomingValueForBlock(block));
    for (Instruction &instruction : reverse(*block)) {
      if (live.erase(&instruction)) needed -= registersOf(instruction, costs);
      if (isa<PHINode>(instruction)) continue;
      for (Value *operand : instruction.operands()) use(operand);
      work.live = std::max(work.live, needed);
      if (isa<CastInst, InsertElementInst>(instruction)) continue;
      (joiner.isApart(instruction) ? work.apart : work.shared) += registersOf(instruction, costs);
    }
  }
  return work;
}

} // namespace

PreservedAnalyses JoinRows::run(Module &module, ModuleAnalysisManager &manager) {
  Function &kernel = *module.getFunction(request.kernel);
  const VectorCosts *costs = vectorCosts(request.specialization.target);
  if (!costs || needsOrder(kernel) || usesSubGroups(kernel) || waitsForMemory(kernel)) return PreservedAnalyses::all();
  FunctionAnalysisManager &analyses = functionAnalyses(module, manager);
  auto &loops = analyses.getResult<LoopAnalysis>(kernel);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(kernel);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(kernel);
  const auto isOfWorkItems = [](const Loop *loop) { return loop && findOptionMDForLoop(loop, kParallelAccesses); };
  bool changed = false;
  // Inner loops first: what a row's vectors share they share in all rows.
  SmallVector<Loop *, 8> inOrder(loops.getLoopsInPreorder());
  for (Loop *loop : reverse(inOrder)) {
    if (!isOfWorkItems(loop)) continue;
    const bool isOfVectors = isOfWorkItems(loop->getParentLoop());
    const unsigned turns =
        isOfVectors ? evolution.getSmallConstantTripCount(loop) : evolution.getSmallConstantTripMultiple(loop);
    if (turns < 2 || (isOfVectors && turns > kMostOfRow)) continue;
    Joiner joiner(*loop, evolution);
    if (!joiner.isSuited()) continue;
    const Work work = vectorWorkOf(joiner, loops, *costs);
    if (!work.isWorthJoining()) continue;
    unsigned together = isOfVectors ? turns : 1u << std::min(countr_zero(turns), int(Log2_32(mostRows(*costs))));
    while (together > 1 && (together * work.live > costs->carriedRegisters() || together * joiner.size() > kMostJoined))
      together /= 2;
    if (together < 2 || (isOfVectors && together != turns)) continue;
    joiner.join(together);
    evolution.forgetAllLoops();
    if (isOfVectors) breakLoopBackedge(loop, dominators, evolution, loops, nullptr);
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace us::codegen
