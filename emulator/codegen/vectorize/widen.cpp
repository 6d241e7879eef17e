// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/vectorize/widen.h"

#include "emulator/codegen/analysis/combining_updates.h"
#include "emulator/codegen/machine_calls.h"
#include "emulator/codegen/vectorize/access_groups.h"
#include "emulator/codegen/vectorize/permuted_access.h"
#include "emulator/codegen/vectorize/small_tables.h"
#include "emulator/codegen/vectorize/step_together.h"
#include "emulator/codegen/vectorize/whole_vectors.h"
#include "emulator/codegen/vectorize/wide_calls.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/ProfDataUtils.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

namespace us::codegen {
namespace {

using Builder = llvm::IRBuilder<>;

/// More operations than these are jumped over where no work-item needs them.
constexpr unsigned kWorthAJump = 12;

/// A side is rare that is taken once in more turns than there are lanes.
constexpr uint64_t kRareTimes = 32;

bool isElement(const llvm::Type *type) {
  return (type->isIntegerTy() && type->getIntegerBitWidth() <= 64) || type->isHalfTy() || type->isFloatTy() ||
         type->isDoubleTy() || type->isPointerTy();
}

bool isInMemory(const llvm::Type *type) { return isElement(type) && !type->isIntegerTy(1); }

/// Of one work-item's value.
unsigned elements(const llvm::Type *type) {
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

bool isNothing(const llvm::Instruction &instruction) {
  auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return intrinsic && (intrinsic->isAssumeLikeIntrinsic() || intrinsic->isLifetimeStartOrEnd());
}

bool isMarker(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->getCalledFunction() && call->getCalledFunction()->getName().starts_with("lane.results");
}

/// What must not be done where no work-item asks for it.
bool needsSomebody(const llvm::Instruction &instruction, const Shapes &shapes) {
  if (isSerial(instruction)) return true;
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return shapes.of(*load->getPointerOperand()).isUniform();
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return shapes.of(*store->getPointerOperand()).isUniform();
  return isDivision(instruction) && shapes.of(instruction).isUniform() &&
         !llvm::isa<llvm::Constant>(instruction.getOperand(1));
}

/// A division or a square root, for which vectors wait as long as for a dozen other operations.
bool isSlow(const llvm::Instruction &instruction) {
  auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return isDivision(instruction) || instruction.getOpcode() == llvm::Instruction::FDiv ||
         (intrinsic && intrinsic->getIntrinsicID() == llvm::Intrinsic::sqrt);
}

class Widener {
public:
  Widener(LaneFunction &lanes, const Shapes &shapes, unsigned width, const WideTurn &turn, const Processor &processor)
      : lanes_(lanes), shapes_(shapes), width_(width), turn_(turn), processor_(processor),
        entry_(*turn.first->getParent()), context_(entry_.getContext()), layout_(entry_.getDataLayout()),
        builder_(context_), top_(context_), groups_(lanes, shapes) {}

  llvm::SmallVector<llvm::WeakTrackingVH, 2> run() {
    begin();
    divergent_ = lanes_.divergentBlocks();
    const auto &order = lanes_.order();
    for (auto [number, block] : llvm::enumerate(order)) {
      index_[block] = unsigned(number);
      start_[block] = llvm::BasicBlock::Create(context_, block->getName() + ".wide", &entry_, turn_.last);
    }
    Builder(turn_.first).CreateBr(start_[order.front()]);
    later_[order.front()] = {};
    for (llvm::BasicBlock *block : order) emitBlock(*block);
    llvm::SmallVector<llvm::WeakTrackingVH, 2> results;
    builder_.SetInsertPoint(end_[order.back()]->getTerminator());
    for (unsigned number = 0; number < lanes_.results().size(); ++number) {
      llvm::Value *value = lanes_.result(number);
      const auto collected =
          llvm::find_if(lanes_.collected(), [&](const Collected &one) { return one.result == number; });
      if (collected != lanes_.collected().end()) { // of what all set the first, who is always there
        results.push_back(collected->isSet ? builder_.CreateExtractElement(wide(*value), uint64_t(0)) : wide(*value));
        continue;
      }
      results.push_back(shapes_.of(*value).isUniform() ? scalar(*value)
                                                       : ofLane(wide(*value), width_ - 1, *value->getType()));
    }
    mend();
    mendWideCalls();
    return results;
  }

private:
  using Set = llvm::SmallSet<unsigned, 4>;

  // ---- what is known of the processor and of the function ----

  /// It has registers for them.
  bool masksAreFree() const { return processor_.costs && processor_.costs->hasMaskRegisters(); }

  bool isHeader(const llvm::BasicBlock *block) const {
    const llvm::Loop *loop = lanes_.loops().getLoopFor(block);
    return loop && loop->getHeader() == block;
  }

  /// Lanes leave it at different turns.
  bool isDivergentLoop(const llvm::Loop &loop) const {
    llvm::SmallVector<llvm::BasicBlock *, 4> exiting;
    loop.getExitingBlocks(exiting);
    return llvm::any_of(exiting, [&](llvm::BasicBlock *block) { return leavesApart(loop, *block); });
  }

  bool leavesApart(const llvm::Loop &loop, llvm::BasicBlock &exiting) const {
    if (lanes_.hasDivergentBranch(exiting)) return true;
    // Some of the loop's lanes come there, others do not.
    return divergent_.contains(&exiting) && &exiting != loop.getHeader() && !allMeetAt(*loop.getHeader(), exiting);
  }

  /// Whether all lanes that are in one block come to the other in the same turn of the loop around both.
  bool allMeetAt(llvm::BasicBlock &from, llvm::BasicBlock &meeting) const {
    const llvm::Loop *loop = lanes_.loops().getLoopFor(&from);
    llvm::SmallPtrSet<llvm::BasicBlock *, 16> seen;
    llvm::SmallVector<llvm::BasicBlock *, 16> open(llvm::successors(&from));
    while (!open.empty()) {
      llvm::BasicBlock *one = open.pop_back_val();
      if (one == &meeting || !seen.insert(one).second) continue;
      if (loop ? one == loop->getHeader() || !loop->contains(one) : llvm::succ_empty(one)) return false;
      open.append(llvm::succ_begin(one), llvm::succ_end(one));
    }
    return true;
  }

  /// The block whose lanes are those of `block`, if that is known by the way there.
  llvm::BasicBlock *sameLanesAs(llvm::BasicBlock *block) const {
    if (isHeader(block)) {
      const llvm::Loop *loop = lanes_.loops().getLoopFor(block);
      return isDivergentLoop(*loop) ? nullptr : loop->getLoopPreheader();
    }
    llvm::BasicBlock *only = block->getSinglePredecessor();
    const llvm::Loop *loop = lanes_.loops().getLoopFor(block);
    if (only && lanes_.loops().getLoopFor(only) == loop && !lanes_.hasDivergentBranch(*only)) return only;
    // All that come into a loop leave it, and there is one way out.
    const llvm::Loop *left = llvm::pred_empty(block) ? nullptr : lanes_.loops().getLoopFor(*llvm::pred_begin(block));
    if (left && left->getParentLoop() == loop && left->getUniqueExitBlock() == block && left->hasDedicatedExits())
      return left->getLoopPreheader();
    auto *node = lanes_.dominators().getNode(block)->getIDom();
    llvm::BasicBlock *above = node ? node->getBlock() : nullptr;
    if (above && lanes_.loops().getLoopFor(above) == loop && allMeetAt(*above, *block)) return above;
    return nullptr;
  }

  // ---- slots: what comes to a block by several ways; they become values at the end ----

  llvm::AllocaInst *makeSlot(llvm::Type *type, const llvm::Twine &name) {
    llvm::AllocaInst *slot = top_.CreateAlloca(type, nullptr, name);
    slots_.push_back(slot);
    return slot;
  }

  /// What a slot holds before anything comes: again in each turn of the loop around it.
  void empty(llvm::AllocaInst *slot, llvm::Value *value, const llvm::BasicBlock *of) {
    const llvm::Loop *loop = lanes_.loops().getLoopFor(of);
    if (loop && loop->getHeader() == of) loop = loop->getParentLoop();
    resets_[loop ? loop->getHeader() : nullptr].push_back({slot, value});
  }

  llvm::AllocaInst *phiSlot(llvm::PHINode &phi) {
    llvm::AllocaInst *&slot = phiSlots_[&phi];
    if (!slot) {
      llvm::Type *type = shapes_.of(phi).isVarying() ? wideType(phi.getType()) : phi.getType();
      slot = makeSlot(type, phi.getName());
      if (!isHeader(phi.getParent())) empty(slot, llvm::PoisonValue::get(type), phi.getParent());
    }
    return slot;
  }

  llvm::AllocaInst *maskSlot(llvm::BasicBlock *block) {
    llvm::AllocaInst *&slot = maskSlots_[block];
    if (!slot) {
      slot = makeSlot(maskType(), block->getName() + ".mask");
      if (!isHeader(block)) empty(slot, none(), block);
    }
    return slot;
  }

  // ---- types and values ----

  llvm::Type *wideType(llvm::Type *type) const {
    return llvm::FixedVectorType::get(type->getScalarType(), width_ * elements(type));
  }
  llvm::Type *maskType() const { return wideType(llvm::Type::getInt1Ty(context_)); }
  llvm::Value *all() const { return llvm::Constant::getAllOnesValue(maskType()); }
  llvm::Value *none() const { return llvm::Constant::getNullValue(maskType()); }

  void begin() {
    top_.SetInsertPoint(&*entry_.getEntryBlock().getFirstInsertionPt());
    for (llvm::Argument &argument : lanes_.function().args()) {
      const unsigned number = argument.getArgNo();
      if (lanes_.isCollected(argument))
        (lanes_.collected(argument).isSet ? scalars_ : wides_)[&argument] =
            turn_.collected[number - unsigned(turn_.inductions.size())];
      else
        scalars_[&argument] = lanes_.isInduction(argument) ? turn_.inductions[number] : lanes_.outer(argument);
    }
    builder_.SetInsertPoint(turn_.first);
    for (llvm::Argument &argument : lanes_.function().args())
      if (lanes_.privateMemory(&argument) == &argument) makePrivate(argument);
  }

  llvm::Value *scalar(llvm::Value &value) {
    if (llvm::isa<llvm::Constant>(value)) return &value;
    llvm::Value *found = scalars_.lookup(&value);
    assert(found && "a uniform or affine value is known before it is used");
    return found;
  }

  llvm::Constant *laneNumbers(llvm::Type *type, int64_t stride) const {
    llvm::SmallVector<llvm::Constant *, 16> numbers;
    for (unsigned lane = 0; lane < width_; ++lane)
      numbers.push_back(llvm::ConstantInt::get(type, uint64_t(lane) * uint64_t(stride), /*IsSigned=*/false));
    return llvm::ConstantVector::get(numbers);
  }

  /// The value of all lanes.
  llvm::Value *wide(llvm::Value &value) {
    if (llvm::isa<llvm::Constant>(value)) return repeated(&value);
    if (llvm::Value *found = wides_.lookup(&value)) return found;
    const Shape shape = shapes_.of(value);
    llvm::Value *base = scalar(value);
    // Right behind the value, so that all who need it may have it.
    Builder::InsertPointGuard guard(builder_);
    if (llvm::isa<llvm::Argument>(value))
      builder_.SetInsertPoint(turn_.first->getTerminator());
    else
      setBehind(*base);
    llvm::Value *splat = repeated(base);
    if (shape.isAffine() && shape.stride != 0)
      splat = value.getType()->isPointerTy()
                  ? builder_.CreateGEP(builder_.getInt8Ty(), splat, laneNumbers(builder_.getInt64Ty(), shape.stride))
                  : builder_.CreateAdd(splat, laneNumbers(value.getType(), shape.stride));
    wides_[&value] = splat;
    return splat;
  }

  llvm::ElementCount count() const { return llvm::ElementCount::getFixed(width_); }

  /// One value for all lanes.
  llvm::Value *repeated(llvm::Value *value) {
    const unsigned number = elements(value->getType());
    if (!value->getType()->isVectorTy()) return builder_.CreateVectorSplat(count(), value);
    llvm::SmallVector<int, 64> from;
    for (unsigned place = 0; place < number * width_; ++place) from.push_back(int(place % number));
    return builder_.CreateShuffleVector(value, from);
  }

  /// The lanes' truth values, for each element of lanes that have several.
  llvm::Value *forElements(llvm::Value *mask, const llvm::Type *type) {
    const unsigned number = elements(type) / width_;
    if (!mask || number == 1) return mask;
    llvm::SmallVector<int, 64> from;
    for (unsigned place = 0; place < number * width_; ++place) from.push_back(int(place / number));
    return builder_.CreateShuffleVector(mask, from);
  }

  llvm::Value *choose(llvm::Value *mask, llvm::Value *value, llvm::Value *other) {
    return builder_.CreateSelect(forElements(mask, value->getType()), value, other);
  }

  llvm::Value *ofLane(llvm::Value *lanes, unsigned lane, const llvm::Type &type) {
    if (!type.isVectorTy()) return builder_.CreateExtractElement(lanes, lane);
    llvm::SmallVector<int, 16> from;
    for (unsigned element = 0; element < elements(&type); ++element)
      from.push_back(int(lane * elements(&type) + element));
    return builder_.CreateShuffleVector(lanes, from);
  }

  llvm::Value *any(llvm::Value *mask) {
    return builder_.CreateICmpNE(builder_.CreateBitCast(mask, builder_.getIntNTy(width_)),
                                 llvm::ConstantInt::get(builder_.getIntNTy(width_), 0), "any");
  }

  /// Of lanes that are not asked nothing is known: no "and" of theirs.
  llvm::Value *both(llvm::Value *mask, llvm::Value *condition) {
    return mask ? builder_.CreateSelect(mask, condition, none()) : condition;
  }

  // ---- private memory: of each element those of all lanes, one after another ----

  struct Private {
    llvm::AllocaInst *memory; ///< for all lanes
    uint64_t element;         ///< bytes; 0: accesses differ, and each lane has all its memory in one piece
    uint64_t bytes;           ///< of one lane
  };

  void makePrivate(llvm::Argument &argument) {
    auto *memory = llvm::cast<llvm::AllocaInst>(lanes_.outer(argument));
    const uint64_t bytes = memory->getAllocationSize(layout_)->getFixedValue();
    const uint64_t element = elementSize(argument);
    llvm::AllocaInst *made =
        top_.CreateAlloca(llvm::ArrayType::get(builder_.getInt8Ty(), llvm::alignTo(bytes, 16) * width_), nullptr,
                          memory->getName() + ".lanes");
    made->setAlignment(llvm::Align(64));
    privates_[&argument] = {made, element, element ? bytes : llvm::alignTo(bytes, 16)};
  }

  /// Where the lanes' elements are: a pointer to the first of them if they lie side by side, else pointers.
  std::pair<llvm::Value *, bool> privatePlace(const Private &memory, llvm::Argument &argument, llvm::Value &pointer) {
    llvm::Type *number = builder_.getInt64Ty();
    llvm::Value *origin = builder_.CreatePtrToInt(scalar(argument), number);
    const bool isUniform = shapes_.of(pointer).isUniform();
    if (memory.element && isUniform) {
      llvm::Value *offset = builder_.CreateSub(builder_.CreatePtrToInt(scalar(pointer), number), origin);
      return {builder_.CreateGEP(builder_.getInt8Ty(), memory.memory,
                                 builder_.CreateMul(offset, builder_.getInt64(width_))),
              true};
    }
    llvm::Value *offset = builder_.CreateSub(builder_.CreatePtrToInt(wide(pointer), wideType(number)),
                                             builder_.CreateVectorSplat(count(), origin));
    if (memory.element)
      offset = builder_.CreateMul(offset, builder_.CreateVectorSplat(count(), builder_.getInt64(width_)));
    offset = builder_.CreateAdd(offset, laneNumbers(number, int64_t(memory.element ? memory.element : memory.bytes)));
    return {builder_.CreateGEP(builder_.getInt8Ty(), memory.memory, offset), false};
  }

  // ---- instructions ----

  void emitBlock(llvm::BasicBlock &block) {
    builder_.SetInsertPoint(start_[&block]);
    builder_.SetCurrentDebugLocation({});
    llvm::Value *mask = findMask(block);
    masks_[&block] = mask;
    if (isHeader(&block)) awaitLanesThatLeave(*lanes_.loops().getLoopFor(&block));
    for (llvm::PHINode &phi : block.phis()) {
      llvm::AllocaInst *slot = phiSlot(phi);
      llvm::Value *value = builder_.CreateLoad(slot->getAllocatedType(), slot, phi.getName());
      (shapes_.of(phi).isVarying() ? wides_ : scalars_)[&phi] = value;
    }
    for (llvm::Instruction &instruction : block) {
      if (llvm::isa<llvm::PHINode>(instruction) || isNothing(instruction) || isMarker(instruction)) continue;
      if (instruction.isTerminator()) continue;
      builder_.SetCurrentDebugLocation(instruction.getDebugLoc());
      emit(instruction, mask);
    }
    builder_.SetCurrentDebugLocation(block.getTerminator()->getDebugLoc());
    leave(block, mask);
    end_[&block] = builder_.GetInsertBlock();
  }

  llvm::Value *findMask(llvm::BasicBlock &block) {
    if (!divergent_.contains(&block)) return nullptr;
    if (llvm::BasicBlock *same = sameLanesAs(&block)) return masks_.lookup(same);
    llvm::BasicBlock *only = block.getSinglePredecessor();
    if (only && edges_.contains({only, &block}) && lanes_.loops().getLoopFor(only) == lanes_.loops().getLoopFor(&block))
      return edges_.lookup({only, &block});
    llvm::AllocaInst *slot = maskSlot(&block);
    return builder_.CreateLoad(maskType(), slot, "mask");
  }

  /// The lanes that go from one block to another; null: all there are.
  llvm::Value *edgeMask(llvm::BasicBlock &from, llvm::BasicBlock &to, llvm::Value *mask) {
    auto *branch = llvm::cast<llvm::BranchInst>(from.getTerminator());
    if (!branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) return mask;
    llvm::Value &condition = *branch->getCondition();
    const bool isTrue = branch->getSuccessor(0) == &to;
    if (shapes_.of(condition).isUniform()) {
      if (!mask && !divergent_.contains(&to)) return nullptr;
      llvm::Value *lanes = mask ? mask : all();
      return isTrue ? builder_.CreateSelect(scalar(condition), lanes, none())
                    : builder_.CreateSelect(scalar(condition), none(), lanes);
    }
    llvm::Value *lanes = wide(condition);
    if (!isTrue) lanes = builder_.CreateNot(lanes);
    return both(mask, lanes);
  }

  /// Whether it is the end of a loop that lanes leave at different turns.
  bool endsDivergentLoop(const llvm::BasicBlock &block) const {
    const llvm::Loop *loop = lanes_.loops().getLoopFor(&block);
    return loop && loop->getLoopLatch() == &block && isDivergentLoop(*loop);
  }

  /// The conditions that must all hold, or all not hold, for it to be as `holds` says: one after the other.
  void conditionsOf(llvm::Value &condition, bool holds, llvm::SmallVectorImpl<llvm::Value *> &found) const {
    using namespace llvm::PatternMatch;
    llvm::Value *one, *other;
    const bool isOfTwo = holds ? match(&condition, m_LogicalAnd(m_Value(one), m_Value(other)))
                               : match(&condition, m_LogicalOr(m_Value(one), m_Value(other)));
    if (!isOfTwo || shapes_.of(condition).isUniform()) {
      found.push_back(&condition);
      return;
    }
    conditionsOf(*one, holds, found);
    conditionsOf(*other, holds, found);
  }

  /// The lanes that go round again if any do: whether any do may also depend on what all lanes ask alike, as how often
  /// they went, which then is asked once and is no part of their mask.
  llvm::Value *goingAgain(llvm::BasicBlock &latch, llvm::BasicBlock &header, llvm::Value *mask) {
    auto *branch = llvm::cast<llvm::BranchInst>(latch.getTerminator());
    const bool holds = branch->isConditional() && branch->getSuccessor(0) == &header;
    llvm::SmallVector<llvm::Value *, 4> conditions;
    if (branch->isConditional()) conditionsOf(*branch->getCondition(), holds, conditions);
    const auto isUniform = [&](llvm::Value *one) { return shapes_.of(*one).isUniform(); };
    if (llvm::none_of(conditions, isUniform) || llvm::all_of(conditions, isUniform))
      return edgeMask(latch, header, mask);
    llvm::Value *alike = nullptr;
    for (llvm::Value *one : conditions) { // where one of them does not hold, the others may be anything
      llvm::Value *truth = isUniform(one) ? scalar(*one) : wide(*one);
      if (!holds) truth = builder_.CreateNot(truth);
      if (!isUniform(one)) {
        mask = both(mask, truth);
        continue;
      }
      truth = builder_.CreateFreeze(truth);
      alike = alike ? builder_.CreateLogicalAnd(alike, truth) : truth;
    }
    askedAlike_[&latch] = alike;
    return mask;
  }

  /// Tells the blocks behind what comes to them, and goes there.
  void leave(llvm::BasicBlock &block, llvm::Value *mask) {
    for (llvm::BasicBlock *next :
         llvm::SmallSetVector<llvm::BasicBlock *, 2>(llvm::succ_begin(&block), llvm::succ_end(&block))) {
      const bool isBack = isHeader(next) && lanes_.loops().getLoopFor(next)->contains(&block);
      llvm::Value *edge =
          isBack && endsDivergentLoop(block) ? goingAgain(block, *next, mask) : edgeMask(block, *next, mask);
      edges_[{&block, next}] = edge;
      const bool enters = isHeader(next) && !isBack;
      if (divergent_.contains(next) && !sameLanesAs(next) && (isHeader(next) || !takesEdgeMask(*next))) {
        llvm::AllocaInst *slot = maskSlot(next);
        llvm::Value *lanes = edge ? edge : all();
        if (!isBack && !enters) lanes = builder_.CreateOr(builder_.CreateLoad(maskType(), slot), lanes);
        builder_.CreateStore(lanes, slot);
      }
      for (llvm::PHINode &phi : next->phis()) {
        llvm::Value *value = phi.getIncomingValueForBlock(&block);
        if (llvm::isa<llvm::UndefValue>(value)) continue;
        llvm::AllocaInst *slot = phiSlot(phi);
        if (!shapes_.of(phi).isVarying()) {
          builder_.CreateStore(scalar(*value), slot);
          continue;
        }
        llvm::Value *lanes = wide(*value);
        // Behind a loop the last value counts: lanes that stay in it bring another one when they leave.
        llvm::Value *const writing = leavesLoop(block, *next) ? mask : edge;
        if (!isHeader(next) && writing && !isSame(edge, *next))
          lanes = choose(writing, lanes, builder_.CreateLoad(slot->getAllocatedType(), slot));
        builder_.CreateStore(lanes, slot);
      }
    }
    jump(block);
  }

  bool leavesLoop(const llvm::BasicBlock &from, const llvm::BasicBlock &to) const {
    const llvm::Loop *loop = lanes_.loops().getLoopFor(&from);
    return loop && !loop->contains(&to);
  }

  bool takesEdgeMask(llvm::BasicBlock &block) const {
    llvm::BasicBlock *only = block.getSinglePredecessor();
    return only && lanes_.loops().getLoopFor(only) == lanes_.loops().getLoopFor(&block);
  }

  /// Whether an edge brings all lanes that a block will have.
  bool isSame(llvm::Value *edge, llvm::BasicBlock &block) const {
    if (!divergent_.contains(&block)) return false;
    llvm::BasicBlock *same = sameLanesAs(&block);
    return (same && masks_.contains(same) && masks_.lookup(same) == edge) || takesEdgeMask(block);
  }

  /// Partial linearization: where the lanes part, the code of one side follows that of the other; what is still to come
  /// is kept with each block (later_).
  void jump(llvm::BasicBlock &block) {
    Set later = later_[&block];
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch) { // the end
      builder_.CreateBr(turn_.last);
      return;
    }
    llvm::Loop *loop = lanes_.loops().getLoopFor(&block);
    const bool isLatch = loop && loop->getLoopLatch() == &block;
    if (endsDivergentLoop(block)) {
      llvm::BasicBlock *header = loop->getHeader();
      for (llvm::BasicBlock *next : llvm::successors(&block))
        if (next != header) later.insert(index_[next]);
      llvm::Value *left = edges_.lookup({&block, header});
      llvm::BasicBlock *behind = take(later);
      llvm::Value *again = left ? any(left) : builder_.getTrue();
      if (llvm::Value *alike = askedAlike_.lookup(&block)) {
        auto *next = llvm::BasicBlock::Create(context_, block.getName() + ".again", &entry_, behind);
        builder_.CreateCondBr(builder_.CreateFreeze(again), next, behind);
        builder_.SetInsertPoint(next);
        again = alike;
      }
      builder_.CreateCondBr(again, start_[header], behind);
      return;
    }
    llvm::BasicBlock *targets[2] = {};
    const bool isUniform =
        branch->isConditional() && shapes_.of(*branch->getCondition()).isUniform() && !lanes_.hasDivergentBranch(block);
    if (isUniform) {
      llvm::Value *condition = scalar(*branch->getCondition());
      for (unsigned side = 0; side < 2; ++side) {
        llvm::BasicBlock *next = branch->getSuccessor(side);
        if (isLatch && next == loop->getHeader()) {
          targets[side] = start_[next];
          continue;
        }
        Set open = later;
        open.insert(index_[next]);
        targets[side] = take(open);
      }
      builder_.CreateCondBr(condition, targets[0], targets[1]);
      return;
    }
    if (isLatch) { // of a loop that is left elsewhere, by all at once
      builder_.CreateBr(start_[loop->getHeader()]);
      return;
    }
    for (llvm::BasicBlock *next : llvm::successors(&block)) later.insert(index_[next]);
    builder_.CreateBr(take(later));
  }

  /// Lanes that left a loop in an earlier turn wait behind it, whichever way the others go.
  void awaitLanesThatLeave(llvm::Loop &loop) {
    llvm::SmallVector<llvm::BasicBlock *, 4> exiting;
    loop.getExitingBlocks(exiting);
    for (llvm::BasicBlock *block : exiting)
      for (llvm::BasicBlock *next : llvm::successors(block))
        if (!loop.contains(next) && leavesApart(loop, *block)) later_[loop.getHeader()].insert(index_[next]);
  }

  /// Where to go for the first of the blocks that are to come, which gets to know of the others.
  llvm::BasicBlock *take(const Set &open) {
    assert(!open.empty());
    unsigned first = ~0u;
    for (unsigned one : open) first = std::min(first, one);
    llvm::BasicBlock *block = lanes_.order()[first];
    Set &rest = later_[block];
    for (unsigned one : open)
      if (one != first) rest.insert(one);
    if (!isJumpedOver(*block) || rest.empty()) return start_[block];
    llvm::BasicBlock *&guard = guards_[block];
    if (!guard) guard = llvm::BasicBlock::Create(context_, block->getName() + ".any", &entry_, start_[block]);
    return guard;
  }

  /// By the weights of the branch that leads there, few work-items come: so few vectors have one that does.
  static bool isRare(const llvm::BasicBlock &block) {
    const llvm::BasicBlock *from = block.getSinglePredecessor();
    uint64_t taken = 0, other = 0;
    if (!from || !llvm::extractBranchWeights(*from->getTerminator(), taken, other)) return false;
    if (from->getTerminator()->getSuccessor(0) != &block) std::swap(taken, other);
    return taken < other / kRareTimes;
  }

  bool isJumpedOver(llvm::BasicBlock &block) {
    if (!divergent_.contains(&block) || isHeader(&block) || sameLanesAs(&block)) return false;
    unsigned size = 0;
    llvm::SmallVector<llvm::BasicBlock *, 8> below;
    lanes_.dominators().getDescendants(&block, below);
    for (llvm::BasicBlock *one : below) {
      if (isHeader(one)) return true;
      for (llvm::Instruction &instruction : *one) {
        if (needsSomebody(instruction, shapes_)) return true;
        size += instruction.mayReadOrWriteMemory() ? 4 : isSlow(instruction) ? kWorthAJump : 1;
      }
    }
    return size > kWorthAJump;
  }

  void emit(llvm::Instruction &instruction, llvm::Value *mask) {
    if (const AccessGroup *group = groups_.of(instruction)) {
      if (group->place == &instruction && !group->isTaken) emitGroups(*group, mask);
      return;
    }
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && !isSerial(*load))
      return emitLoad(*load, mask);
    if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && !isSerial(*store))
      return emitStore(*store, mask);
    if (llvm::isa<llvm::FenceInst>(instruction)) {
      cloneScalar(instruction);
      return;
    }
    const Shape shape = shapes_.of(instruction);
    if (isOfSubGroup(instruction)) return emitOfSubGroup(instruction, mask);
    if (ofLanes(instruction) != OfLanes::Nothing) return emitOfLanes(llvm::cast<llvm::CallInst>(instruction), mask);
    if (llvm::Function *callee = wideCallee(instruction))
      return emitWideCall(llvm::cast<llvm::CallInst>(instruction), *callee);
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (isCombined(instruction, shapes_)) return emitCombined(llvm::cast<llvm::AtomicRMWInst>(instruction), mask);
    const bool isOnce = call && ((shape.isUniform() && call->doesNotAccessMemory()) || isOnceForAll(*call));
    if (isOnce && call->getType()->isVoidTy()) {
      cloneScalar(instruction);
      return;
    }
    if (isSerial(instruction) && !isOnce) return emitSerial(instruction, mask);
    if (shape.isAffine()) {
      scalars_[&instruction] = emitBase(instruction);
      return;
    }
    if (shape.isUniform()) {
      // What differs but for its arithmetic is that of a lane that nobody may have asked for.
      const bool isByArithmetic = lanes_.isDivergent(instruction) || lanes_.isTakenForSame(instruction);
      scalars_[&instruction] = isByArithmetic ? emitBase(instruction) : cloneScalar(instruction);
      return;
    }
    llvm::Value *value = emitWide(instruction, mask);
    if (auto *made = llvm::dyn_cast<llvm::Instruction>(value)) made->copyIRFlags(&instruction);
    value->setName(instruction.getName());
    wides_[&instruction] = value;
  }

  /// All work-items of a sub-group that come there are there at once: a bit for each of them, or of those that agree.
  void emitOfSubGroup(llvm::Instruction &instruction, llvm::Value *mask) {
    llvm::Value *lanes = mask ? mask : all();
    if (machineName(&instruction) == "votes")
      lanes = both(mask, builder_.CreateIsNotNull(wide(*instruction.getOperand(0))));
    scalars_[&instruction] =
        builder_.CreateZExt(builder_.CreateBitCast(lanes, builder_.getIntNTy(width_)), instruction.getType());
  }

  void emitOfLanes(llvm::CallInst &call, llvm::Value *mask) {
    llvm::Value *lanes = wide(*call.getArgOperand(0));
    if (ofLanes(call) == OfLanes::Greatest) {
      auto *least = llvm::ConstantInt::get(lanes->getType(), llvm::APInt::getSignedMinValue(32));
      scalars_[&call] = builder_.CreateIntMaxReduce(mask ? builder_.CreateSelect(mask, lanes, least) : lanes,
                                                    /*IsSigned=*/true);
      return;
    }
    llvm::Value *which = builder_.CreateBitCast(both(mask, wide(*call.getArgOperand(1))), builder_.getIntNTy(width_));
    llvm::Value *lane = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, which, builder_.getFalse());
    lane = builder_.CreateAnd(lane, llvm::ConstantInt::get(lane->getType(), width_ - 1)); // if there is none
    scalars_[&call] = builder_.CreateExtractElement(lanes, lane);
  }

  /// What the builtin library calculates for a whole sub-group, of what is the same for all (opencl/ptx/matrix.h).
  bool isOnceForAll(const llvm::CallBase &call) const {
    const llvm::Function *function = call.getCalledFunction();
    return function && function->getName().starts_with("us_once_") &&
           llvm::all_of(call.args(), [&](const llvm::Use &argument) { return shapes_.of(*argument).isUniform(); });
  }

  /// What the builtin library calculates with the values of all lanes. Each part of a result is asked for by a call.
  void emitWideCall(llvm::CallInst &call, llvm::Function &callee) {
    llvm::SmallVector<llvm::Value *, 8> arguments;
    for (const llvm::Argument &argument : callee.args()) {
      llvm::Value &value = *call.getArgOperand(argument.getArgNo());
      arguments.push_back(argument.getType()->isVectorTy() ? wide(value) : scalar(value));
    }
    llvm::Value *all = earlierCall(callee, arguments);
    if (!all) {
      llvm::CallInst *made = builder_.CreateCall(&callee, arguments);
      made->setCallingConv(callee.getCallingConv());
      wideCalls_.push_back(made);
      all = made;
    }
    const auto ofPart = [&](unsigned part) {
      llvm::SmallVector<int, 32> from;
      for (unsigned lane = 0; lane < width_; ++lane) from.push_back(int(part * width_ + lane));
      return builder_.CreateShuffleVector(all, from, call.getName());
    };
    llvm::Value &which = *call.getArgOperand(unsigned(call.arg_size() - 1));
    if (auto *number = llvm::dyn_cast<llvm::ConstantInt>(&which)) {
      wides_[&call] = ofPart(unsigned(number->getZExtValue()));
      return;
    }
    llvm::Value *chosen = ofPart(0); // two calls have become one
    for (unsigned part = 1; part < elements(all->getType()) / width_; ++part) {
      llvm::Value *number = llvm::ConstantInt::get(wide(which)->getType(), part);
      chosen = builder_.CreateSelect(builder_.CreateICmpEQ(wide(which), number), ofPart(part), chosen);
    }
    wides_[&call] = chosen;
  }

  /// The same call before, in this block, if nothing was written since.
  llvm::Value *earlierCall(const llvm::Function &callee, llvm::ArrayRef<llvm::Value *> arguments) {
    llvm::BasicBlock &block = *builder_.GetInsertBlock();
    for (auto at = builder_.GetInsertPoint(); at != block.begin();) {
      llvm::Instruction &instruction = *--at;
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call && call->getCalledFunction() == &callee &&
          llvm::equal(arguments, call->args(), [](llvm::Value *one, const llvm::Use &other) { return one == other; }))
        return call;
      if (instruction.mayWriteToMemory()) return nullptr;
    }
    return nullptr;
  }

  /// Short ones become part of the code. The others have their vectors in registers, as results too, where there are
  /// more than those.
  void mendWideCalls() {
    constexpr unsigned kShort = 40;
    for (llvm::CallInst *call : wideCalls_) {
      llvm::Function &callee = *call->getCalledFunction();
      if (callee.size() == 1 && callee.getInstructionCount() <= kShort) {
        llvm::InlineFunctionInfo info;
        if (llvm::InlineFunction(*call, info).isSuccess()) continue;
      }
      if (!masksAreFree() || !llvm::Triple(callee.getParent()->getTargetTriple()).isX86()) continue;
      callee.setCallingConv(llvm::CallingConv::X86_RegCall);
      for (llvm::User *user : callee.users())
        if (auto *other = llvm::dyn_cast<llvm::CallInst>(user)) other->setCallingConv(callee.getCallingConv());
    }
  }

  llvm::Value *cloneScalar(llvm::Instruction &instruction) {
    llvm::Instruction *copy = instruction.clone();
    for (llvm::Use &operand : copy->operands())
      if (!llvm::isa<llvm::Constant>(operand) && !llvm::isa<llvm::MetadataAsValue>(operand)) operand = scalar(*operand);
    builder_.Insert(copy, instruction.getName());
    copy->setDebugLoc(instruction.getDebugLoc());
    return copy;
  }

  /// The first lane's value, of a lane that nobody may have asked for: nothing is promised of it.
  llvm::Value *emitBase(llvm::Instruction &instruction) {
    if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction))
      return extend(*instruction.getOperand(0), instruction.getType(), extendsSign(instruction));
    const auto *parts = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction);
    if (parts && parts->isDisjoint()) // they may meet in a lane that nobody asked for
      return builder_.CreateAdd(scalar(*instruction.getOperand(0)), scalar(*instruction.getOperand(1)));
    llvm::Value *made = cloneScalar(instruction);
    auto *copy = llvm::cast<llvm::Instruction>(made);
    copy->dropPoisonGeneratingFlags();
    if (auto *place = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
      builder_.SetInsertPoint(copy);
      for (unsigned number = 1; number < place->getNumOperands(); ++number) {
        llvm::Value &index = *place->getOperand(number);
        if (shapes_.of(index).isAffine() && index.getType()->getIntegerBitWidth() < 64)
          copy->setOperand(number, extend(index, builder_.getInt64Ty(), /*isSigned=*/true));
      }
      builder_.SetInsertPoint(copy->getParent());
    }
    return made;
  }

  /// What is not negative where it is asked for may be where it is not: then it is exact with its sign only.
  bool extendsSign(const llvm::Instruction &extension) const {
    const Shape shape = shapes_.of(*extension.getOperand(0));
    return llvm::isa<llvm::SExtInst>(extension) || (shape.isAffine() && !shape.isUnsignedExact);
  }

  /// Sums are made in the longer type: there the first lane's are right even if nobody asked for it.
  llvm::Value *extend(llvm::Value &value, llvm::Type *type, bool isSigned) {
    const Shape shape = shapes_.of(value);
    auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&value);
    const bool isOfBits = operation && operation->getOpcode() == llvm::Instruction::And; // which does not grow
    if (shape.isAffine() && operation && !isOfBits) {
      llvm::Value *left = extend(*operation->getOperand(0), type, isSigned);
      llvm::Value *right = extend(*operation->getOperand(1), type, isSigned);
      switch (operation->getOpcode()) {
      case llvm::Instruction::Sub:
        return builder_.CreateSub(left, right);
      case llvm::Instruction::Mul:
        return builder_.CreateMul(left, right);
      case llvm::Instruction::Shl:
        return builder_.CreateShl(left, right);
      default:
        return builder_.CreateAdd(left, right);
      }
    }
    if (shape.isAffine() && llvm::isa<llvm::SExtInst, llvm::ZExtInst>(value))
      return extend(*llvm::cast<llvm::Instruction>(value).getOperand(0), type,
                    extendsSign(llvm::cast<llvm::Instruction>(value)));
    if (auto *shorter = llvm::dyn_cast<llvm::TruncInst>(&value); shorter && shape.isAffine())
      return extend(*shorter->getOperand(0), type, isSigned);
    if (value.getType()->getIntegerBitWidth() >= type->getIntegerBitWidth())
      return builder_.CreateTrunc(scalar(value), type);
    return isSigned ? builder_.CreateSExt(scalar(value), type) : builder_.CreateZExt(scalar(value), type);
  }

  llvm::Value *emitWide(llvm::Instruction &instruction, llvm::Value *mask) {
    const auto operand = [&](unsigned number) { return wide(*instruction.getOperand(number)); };
    if (auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
      if (isDivision(instruction) && isDividedAsReal(instruction)) return emitDivision(*operation);
      llvm::Value *right = operand(1);
      if (isDivision(instruction) && mask && !llvm::isa<llvm::Constant>(instruction.getOperand(1)))
        right = choose(mask, right, llvm::ConstantInt::get(right->getType(), 1));
      return builder_.CreateBinOp(operation->getOpcode(), operand(0), right);
    }
    if (auto *operation = llvm::dyn_cast<llvm::UnaryOperator>(&instruction))
      return builder_.CreateUnOp(operation->getOpcode(), operand(0));
    if (auto *compare = llvm::dyn_cast<llvm::CmpInst>(&instruction))
      return builder_.CreateCmp(compare->getPredicate(), operand(0), operand(1));
    if (auto *cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
      return builder_.CreateCast(cast->getOpcode(), operand(0), wideType(cast->getType()));
    if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
      if (shapes_.of(*select->getCondition()).isUniform())
        return builder_.CreateSelect(select->getCondition()->getType()->isVectorTy() ? operand(0)
                                                                                     : scalar(*select->getCondition()),
                                     operand(1), operand(2));
      if (select->getCondition()->getType()->isVectorTy())
        return builder_.CreateSelect(operand(0), operand(1), operand(2));
      return choose(operand(0), operand(1), operand(2));
    }
    if (llvm::isa<llvm::FreezeInst>(instruction)) return builder_.CreateFreeze(operand(0));
    if (auto *place = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
      llvm::SmallVector<llvm::Value *, 4> indices;
      const auto part = [&](llvm::Value &value) { return shapes_.of(value).isUniform() ? scalar(value) : wide(value); };
      for (llvm::Value *index : place->indices()) indices.push_back(part(*index));
      llvm::Value *base = part(*place->getPointerOperand());
      return builder_.CreateGEP(place->getSourceElementType(), base, indices);
    }
    auto &call = llvm::cast<llvm::IntrinsicInst>(instruction);
    llvm::SmallVector<llvm::Value *, 4> arguments;
    llvm::SmallVector<llvm::Type *, 2> types;
    const llvm::Intrinsic::ID id = call.getIntrinsicID();
    if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1)) types.push_back(wideType(call.getType()));
    for (auto [number, argument] : llvm::enumerate(call.args())) {
      const bool staysScalar = llvm::isVectorIntrinsicWithScalarOpAtArg(id, unsigned(number));
      arguments.push_back(staysScalar ? scalar(*argument) : wide(*argument));
      if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, int(number))) types.push_back(arguments.back()->getType());
    }
    llvm::Function *function = llvm::Intrinsic::getDeclaration(entry_.getParent(), id, types);
    return builder_.CreateCall(function, arguments);
  }

  /// Numbers of 32 bits whose upper half is zero.
  bool isOf16Bits(const llvm::Value &value) const {
    if (value.getType()->getScalarSizeInBits() != 32) return false;
    const llvm::Value *number = &value;
    while (llvm::isa<llvm::ZExtInst, llvm::TruncInst>(number))
      number = llvm::cast<llvm::Instruction>(number)->getOperand(0);
    if (auto *argument = llvm::dyn_cast<llvm::Argument>(number); argument && lanes_.isInduction(*argument))
      return lanes_.inductions()[argument->getArgNo()].most <= UINT16_MAX;
    return llvm::computeKnownBits(&value, lanes_.function().getDataLayout()).countMaxActiveBits() <= 16;
  }

  /// There is no division of vectors of integers, but one of numbers that hold them exactly. A quotient that is no
  /// integer is further from the next one than it is rounded by. By a number that all lanes share it is a product with
  /// a reciprocal that is a little too large, so that what is an integer does not fall below it. Of 16 bits, as numbers
  /// of work-items in their group are, a float does; a divisor of more then leads to less than one.
  llvm::Value *emitDivision(llvm::BinaryOperator &division) {
    llvm::Value &divisor = *division.getOperand(1);
    const bool isSigned =
        division.getOpcode() == llvm::Instruction::SDiv || division.getOpcode() == llvm::Instruction::SRem;
    const bool isSmall = shapes_.of(divisor).isUniform() && isOf16Bits(*division.getOperand(0));
    const bool isShort = isSmall || division.getType()->getScalarSizeInBits() <= 16;
    llvm::Type *real = isShort ? builder_.getFloatTy() : builder_.getDoubleTy();
    const auto asReal = [&](llvm::Value *value) {
      const bool isVector = value->getType()->isVectorTy();
      llvm::Type *type = isVector ? wideType(real) : real;
      return isSigned || (isSmall && isVector) ? builder_.CreateSIToFP(value, type)
                                               : builder_.CreateUIToFP(value, type);
    };
    llvm::Value *left = wide(*division.getOperand(0)), *quotient = nullptr;
    if (shapes_.of(divisor).isUniform()) {
      llvm::Value *reciprocal = builder_.CreateFDiv(llvm::ConstantFP::get(real, 1), asReal(scalar(divisor)));
      reciprocal =
          builder_.CreateFMul(reciprocal, llvm::ConstantFP::get(real, isShort ? 0x1.00001p0 : 0x1.0000000001p0));
      quotient = builder_.CreateFMul(asReal(left), builder_.CreateVectorSplat(count(), reciprocal));
    } else {
      quotient = builder_.CreateFDiv(asReal(left), asReal(wide(divisor)));
    }
    quotient = isSigned || isSmall ? builder_.CreateFPToSI(quotient, left->getType())
                                   : builder_.CreateFPToUI(quotient, left->getType());
    if (division.getOpcode() == llvm::Instruction::SDiv || division.getOpcode() == llvm::Instruction::UDiv)
      return quotient;
    return builder_.CreateSub(left, builder_.CreateMul(quotient, wide(divisor)));
  }

  /// Of an access, true of that of all lanes as of each.
  static constexpr unsigned kFacts[] = {llvm::LLVMContext::MD_tbaa, llvm::LLVMContext::MD_alias_scope,
                                        llvm::LLVMContext::MD_noalias, llvm::LLVMContext::MD_invariant_load};
  static void keepFacts(llvm::Instruction &made, const llvm::Instruction &of) {
    for (unsigned kind : kFacts) made.setMetadata(kind, of.getMetadata(kind));
  }

  void emitLoad(llvm::LoadInst &load, llvm::Value *mask) {
    llvm::Value &pointer = *load.getPointerOperand();
    const Shape shape = shapes_.of(pointer);
    llvm::Type *type = wideType(load.getType());
    llvm::Align alignment = load.getAlign();
    if (llvm::Argument *argument = lanes_.privateMemory(&pointer)) {
      const Private &memory = privates_.find(argument)->second;
      const auto [place, isSideBySide] = privatePlace(memory, *argument, pointer);
      alignment = llvm::commonAlignment(llvm::Align(64), memory.element ? memory.element : alignment.value());
      wides_[&load] = isSideBySide ? static_cast<llvm::Value *>(builder_.CreateAlignedLoad(
                                         type, place, llvm::commonAlignment(llvm::Align(64), memory.element * width_)))
                                   : builder_.CreateMaskedGather(type, place, alignment, mask ? mask : all(),
                                                                 llvm::Constant::getNullValue(type));
      return;
    }
    if (shape.isUniform()) {
      scalars_[&load] = cloneScalar(load);
      if (!shapes_.of(load).isUniform()) wides_[&load] = repeated(scalars_[&load]);
      return;
    }
    if (const auto permuted =
            permutedPlace(pointer, *load.getType(), !mask || processor_.permutations, shapes_, width_)) {
      const Permutation order = permutation(*permuted);
      llvm::Value *made;
      if (mask)
        made = builder_.CreateMaskedLoad(type, order.first, alignment, permute(mask, order.turned),
                                         llvm::Constant::getNullValue(type));
      else
        made = builder_.CreateAlignedLoad(type, order.first, alignment);
      keepFacts(*llvm::cast<llvm::Instruction>(made), load);
      wides_[&load] = permute(made, order.turned);
      return;
    }
    wides_[&load] = gather(load, wide(pointer), mask);
  }

  /// Where `width` elements are that lie side by side, and the bits of a lane's number that are turned over.
  struct Permutation {
    llvm::Value *first, *turned;
  };

  Permutation permutation(const PermutedPlace &permuted) {
    llvm::Value *turned = scalar(*permuted.turned);
    llvm::Type *type = turned->getType();
    const uint64_t within = width_ - 1;
    llvm::Value *index =
        builder_.CreateXor(scalar(*permuted.number), builder_.CreateAnd(turned, llvm::ConstantInt::get(type, ~within)));
    index = permuted.isSigned ? builder_.CreateSExtOrTrunc(index, builder_.getInt64Ty())
                              : builder_.CreateZExtOrTrunc(index, builder_.getInt64Ty());
    llvm::Value *base = scalar(*const_cast<llvm::Value *>(permuted.place->getPointerOperand()));
    return {builder_.CreateGEP(permuted.place->getSourceElementType(), base, index),
            builder_.CreateAnd(turned, llvm::ConstantInt::get(type, within))};
  }

  /// Lane i has what lane i ^ turned had.
  llvm::Value *permute(llvm::Value *lanes, llvm::Value *turned) {
    const unsigned bits = lanes->getType()->getScalarSizeInBits();
    const bool isQuick = processor_.permutations && !llvm::isa<llvm::Constant>(turned) &&
                         llvm::is_contained({1u, 8u, 16u, 32u, 64u}, bits);
    if (!isQuick) return permute(lanes, turned, 1);
    llvm::Type *type = lanes->getType();
    if (bits == 1) {
      llvm::Value *numbers = builder_.CreateSExt(lanes, wideType(builder_.getInt32Ty()));
      numbers = permuteWords(numbers, turned);
      return builder_.CreateICmpSLT(numbers, llvm::Constant::getNullValue(numbers->getType()));
    }
    llvm::Value *numbers = builder_.CreateBitCast(lanes, wideType(builder_.getIntNTy(bits)));
    if (bits >= 32) return builder_.CreateBitCast(permuteWords(numbers, turned), type);
    numbers = permuteWords(builder_.CreateZExt(numbers, wideType(builder_.getInt32Ty())), turned);
    return builder_.CreateBitCast(builder_.CreateTrunc(numbers, wideType(builder_.getIntNTy(bits))), type);
  }

  /// By a step for each bit, from one on.
  llvm::Value *permute(llvm::Value *lanes, llvm::Value *turned, unsigned firstBit) {
    for (unsigned bit = firstBit; bit < width_; bit *= 2) {
      llvm::SmallVector<int, 32> from;
      for (unsigned lane = 0; lane < width_; ++lane) from.push_back(int(lane ^ bit));
      llvm::Value *other = builder_.CreateShuffleVector(lanes, from);
      llvm::Value *isTurned =
          builder_.CreateICmpNE(builder_.CreateAnd(turned, llvm::ConstantInt::get(turned->getType(), bit)),
                                llvm::ConstantInt::get(turned->getType(), 0));
      lanes = builder_.CreateSelect(isTurned, other, lanes);
    }
    return lanes;
  }

  /// Of numbers of one or two words: within a register by an instruction, registers by steps.
  llvm::Value *permuteWords(llvm::Value *numbers, llvm::Value *turned) {
    const WordPermutations &by = *processor_.permutations;
    const unsigned each = numbers->getType()->getScalarSizeInBits() / 32, words = width_ * each;
    llvm::Type *type = numbers->getType(), *word = builder_.getInt32Ty();
    numbers = permute(numbers, turned, by.lanes / each);
    numbers = builder_.CreateBitCast(numbers, llvm::FixedVectorType::get(word, words));
    llvm::Value *within = builder_.CreateZExtOrTrunc(turned, word);
    within = builder_.CreateAnd(within, std::min(width_, by.lanes / each) - 1);
    llvm::SmallVector<llvm::Constant *, 16> own;
    for (unsigned i = 0; i < by.lanes; ++i) own.push_back(builder_.getInt32(i));
    llvm::Value *index = builder_.CreateVectorSplat(by.lanes, builder_.CreateMul(within, builder_.getInt32(each)));
    index = builder_.CreateXor(index, llvm::ConstantVector::get(own));
    llvm::SmallVector<llvm::Value *, 4> registers;
    for (unsigned first = 0; first < words; first += by.lanes)
      registers.push_back(builder_.CreateIntrinsic(by.of, {}, {registerOf(builder_, by, numbers, first), index}));
    return builder_.CreateBitCast(vectorOf(builder_, registers, words), type);
  }

  /// Processors gather words, not bytes: of an element that lies in one word, that is gathered. A word that is partly
  /// there is all there, as pages are. What will be looked up in registers is not.
  llvm::Value *gather(llvm::LoadInst &load, llvm::Value *places, llvm::Value *mask) {
    llvm::Type *type = wideType(load.getType()), *word = wideType(builder_.getInt32Ty());
    const unsigned bytes = unsigned(layout_.getTypeStoreSize(load.getType()));
    const VectorCosts *costs = processor_.costs;
    const bool isOfWord = costs && costs->gathersWords && bytes < 4 && load.getAlign().value() >= bytes &&
                          load.getType()->getPrimitiveSizeInBits() == 8 * bytes && !smallTable(load, shapes_, *costs);
    llvm::Value *words = places;
    if (isOfWord) {
      llvm::Type *numbers = wideType(layout_.getIndexType(load.getPointerOperandType()));
      words = builder_.CreateIntrinsic(llvm::Intrinsic::ptrmask, {places->getType(), numbers},
                                       {places, llvm::ConstantInt::get(numbers, uint64_t(-4), /*IsSigned=*/true)});
    }
    llvm::Type *gathered = isOfWord ? word : type;
    llvm::CallInst *made = builder_.CreateMaskedGather(gathered, words, isOfWord ? llvm::Align(4) : load.getAlign(),
                                                       mask ? mask : all(), llvm::Constant::getNullValue(gathered));
    keepFacts(*made, load);
    if (!isOfWord) return made;
    llvm::Value *within = builder_.CreateAnd(builder_.CreatePtrToInt(places, word), llvm::ConstantInt::get(word, 3));
    llvm::Value *moved = builder_.CreateLShr(made, builder_.CreateShl(within, llvm::ConstantInt::get(word, 3)));
    return builder_.CreateBitCast(builder_.CreateTrunc(moved, wideType(builder_.getIntNTy(8 * bytes))), type);
  }

  void emitStore(llvm::StoreInst &store, llvm::Value *mask) {
    llvm::Value &pointer = *store.getPointerOperand(), &value = *store.getValueOperand();
    const Shape shape = shapes_.of(pointer);
    llvm::Align alignment = store.getAlign();
    if (llvm::Argument *argument = lanes_.privateMemory(&pointer)) {
      const Private &memory = privates_.find(argument)->second;
      const auto [place, isSideBySide] = privatePlace(memory, *argument, pointer);
      alignment = llvm::commonAlignment(llvm::Align(64), memory.element ? memory.element : alignment.value());
      if (!isSideBySide) {
        builder_.CreateMaskedScatter(wide(value), place, alignment, mask);
        return;
      }
      alignment = llvm::commonAlignment(llvm::Align(64), memory.element * width_);
      llvm::Value *lanes = wide(value);
      if (mask)
        lanes = builder_.CreateSelect(mask, lanes, builder_.CreateAlignedLoad(lanes->getType(), place, alignment));
      builder_.CreateAlignedStore(lanes, place, alignment);
      return;
    }
    if (shape.isUniform()) {
      // The last of the work-items that store is the last in their order.
      llvm::Value *last = nullptr;
      if (shapes_.of(value).isUniform()) {
        last = scalar(value);
      } else if (!mask) {
        last = builder_.CreateExtractElement(wide(value), width_ - 1);
      } else {
        llvm::Value *bits = builder_.CreateBitCast(mask, builder_.getIntNTy(width_));
        llvm::Value *above = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, bits, builder_.getTrue());
        llvm::Value *lane = builder_.CreateSub(llvm::ConstantInt::get(bits->getType(), width_ - 1), above);
        last = builder_.CreateExtractElement(wide(value), lane);
      }
      keepFacts(*builder_.CreateAlignedStore(last, scalar(pointer), alignment), store);
      return;
    }
    scatter(store, mask);
  }

  void scatter(llvm::StoreInst &store, llvm::Value *mask) {
    if (const auto permuted = permutedPlace(*store.getPointerOperand(), *store.getValueOperand()->getType(),
                                            !mask || processor_.permutations, shapes_, width_)) {
      const Permutation order = permutation(*permuted);
      llvm::Value *value = permute(wide(*store.getValueOperand()), order.turned);
      keepFacts(mask ? static_cast<llvm::Instruction &>(*builder_.CreateMaskedStore(
                           value, order.first, store.getAlign(), permute(mask, order.turned)))
                     : *builder_.CreateAlignedStore(value, order.first, store.getAlign()),
                store);
      return;
    }
    keepFacts(*builder_.CreateMaskedScatter(wide(*store.getValueOperand()), wide(*store.getPointerOperand()),
                                            store.getAlign(), mask),
              store);
  }

  using Values = llvm::SmallVector<llvm::Value *, 4>;

  /// Of each lane two elements are one number.
  void emitPairs(const AccessGroup &group, llvm::Value *mask) {
    llvm::Type *type = llvm::FixedVectorType::get(llvm::getLoadStoreType(group.place), 2 * width_);
    llvm::Type *numbers = wideType(builder_.getInt64Ty());
    llvm::Value *places = wide(*llvm::getLoadStorePointerOperand(group.place));
    if (group.before != 0)
      places = builder_.CreateGEP(builder_.getInt8Ty(), places, builder_.getInt64(uint64_t(-group.before)));
    if (!mask) mask = all();
    if (group.isStore) {
      const auto value = [&](unsigned member) {
        return wide(*llvm::cast<llvm::StoreInst>(group.accesses[member])->getValueOperand());
      };
      llvm::Value *pairs = builder_.CreateShuffleVector(value(0), value(1), llvm::createInterleaveMask(width_, 2));
      keepCommonFacts(
          *builder_.CreateMaskedScatter(builder_.CreateBitCast(pairs, numbers), places, group.alignment, mask), group);
      return;
    }
    llvm::Instruction *made =
        builder_.CreateMaskedGather(numbers, places, group.alignment, mask, llvm::Constant::getNullValue(numbers));
    keepCommonFacts(*made, group);
    llvm::Value *pairs = builder_.CreateBitCast(made, type);
    for (unsigned member = 0; member < 2; ++member)
      wides_[group.accesses[member]] = builder_.CreateShuffleVector(pairs, llvm::createStrideMask(member, 2, width_));
  }

  /// What lies side by side, from the first work-item's place on; where that is only likely, the lanes are asked each
  /// time.
  void emitGroups(const AccessGroup &first, llvm::Value *mask) {
    if (first.isApart) return emitPairs(first, mask);
    llvm::SmallVector<const AccessGroup *, 8> groups{&first};
    llvm::append_range(groups, first.together);
    const auto pointer = [](const AccessGroup &group) -> llvm::Value & {
      return *llvm::getLoadStorePointerOperand(group.place);
    };
    const auto keep = [&](const Values &values) {
      llvm::Value *const *value = values.begin();
      for (const AccessGroup *group : groups)
        for (llvm::Instruction *access : group->accesses)
          if (access && !group->isStore) wides_[access] = *value++;
    };
    if (!first.guess) return keep(accessAtOnce(first, scalar(pointer(first)), mask));
    llvm::SmallSetVector<llvm::Value *, 8> roots;
    for (const AccessGroup *group : groups) roots.insert(group->guess->roots.begin(), group->guess->roots.end());
    llvm::Value *holds = nullptr;
    for (llvm::Value *root : roots) {
      llvm::Value *one = rootOf(*root).holds;
      holds = holds ? builder_.CreateAnd(holds, one) : one;
    }
    const auto make = [&](const char *name) { return llvm::BasicBlock::Create(context_, name, &entry_, turn_.last); };
    llvm::BasicBlock *likely = make("side.by.side"), *unlikely = make("apart"), *after = make("accessed");
    builder_.CreateCondBr(holds, likely, unlikely, llvm::MDBuilder(context_).createLikelyBranchWeights());
    builder_.SetInsertPoint(likely);
    Values atOnce, apart;
    for (const AccessGroup *group : groups)
      llvm::append_range(atOnce, accessAtOnce(*group, likelyBase(pointer(*group)), mask));
    builder_.CreateBr(after);
    builder_.SetInsertPoint(unlikely);
    for (const AccessGroup *group : groups) llvm::append_range(apart, accessApart(*group, wide(pointer(*group)), mask));
    builder_.CreateBr(after);
    builder_.SetInsertPoint(after);
    Values joined;
    for (auto [one, other] : llvm::zip_equal(atOnce, apart)) {
      llvm::PHINode *phi = builder_.CreatePHI(one->getType(), 2);
      phi->addIncoming(one, likely);
      phi->addIncoming(other, unlikely);
      joined.push_back(phi);
    }
    keep(joined);
  }

  Values accessApart(const AccessGroup &group, llvm::Value *places, llvm::Value *mask) {
    const auto size = int64_t(layout_.getTypeStoreSize(llvm::getLoadStoreType(group.place)));
    Values values;
    for (auto [member, access] : llvm::enumerate(group.accesses)) {
      if (auto *store = llvm::dyn_cast_or_null<llvm::StoreInst>(access)) scatter(*store, mask);
      auto *load = llvm::dyn_cast_or_null<llvm::LoadInst>(access);
      if (!load) continue; // its own pointer may be made later
      const int64_t distance = int64_t(member) * size - group.before;
      values.push_back(gather(
          *load,
          distance == 0 ? places
                        : builder_.CreateGEP(builder_.getInt8Ty(), places, builder_.getInt64(uint64_t(distance))),
          mask));
    }
    return values;
  }

  /// A value that is likely to grow by the same from lane to lane.
  struct Root {
    llvm::Value *base;  ///< the first lane's
    llvm::Value *holds; ///< whether it does
  };

  /// Right behind the value, so that all who ask have it. What lanes have that are not asked is not known, but it is
  /// looked at too.
  const Root &rootOf(llvm::Value &value) {
    if (const auto found = roots_.find(&value); found != roots_.end()) return found->second;
    const Guess *likely = shapes_.guess(value);
    const int64_t stride = (likely ? likely->shape : shapes_.of(value)).stride;
    const llvm::APInt *kept = nullptr; // bits of a number that is known but for those above
    llvm::Value *whole = nullptr;
    const bool isPart =
        llvm::PatternMatch::match(&value, llvm::PatternMatch::m_And(llvm::PatternMatch::m_Value(whole),
                                                                    llvm::PatternMatch::m_LowBitMask(kept))) &&
        shapes_.of(*whole).isAffine();
    llvm::Value *lanes = isPart ? scalar(*whole) : likely ? wide(value) : scalar(value);
    Builder::InsertPointGuard guard(builder_);
    setBehind(*lanes);
    lanes = builder_.CreateFreeze(lanes);
    llvm::Type *type = value.getType();
    Root root{lanes, builder_.getTrue()};
    if (isPart) {
      root.base = builder_.CreateAnd(lanes, llvm::ConstantInt::get(type, *kept));
    } else if (likely) {
      root.base = builder_.CreateExtractElement(lanes, uint64_t(0));
      llvm::Value *expected =
          builder_.CreateAdd(builder_.CreateVectorSplat(count(), root.base), laneNumbers(type, stride));
      root.holds = builder_.CreateICmpEQ(
          builder_.CreateBitCast(builder_.CreateICmpEQ(lanes, expected), builder_.getIntNTy(width_)),
          llvm::ConstantInt::getAllOnesValue(builder_.getIntNTy(width_)));
    }
    const unsigned bits = type->getIntegerBitWidth();
    if (isPart || bits < 64) { // it may be made longer, be it with its sign or not
      llvm::APInt most = llvm::APInt::getSignedMaxValue(bits);
      if (isPart) most = llvm::APIntOps::umin(most, *kept);
      const uint64_t range = uint64_t(std::abs(stride)) * (width_ - 1);
      llvm::Value *least = root.base;
      if (stride < 0) least = builder_.CreateSub(least, llvm::ConstantInt::get(type, range));
      llvm::Value *fits = builder_.getFalse();
      if (most.uge(range)) fits = builder_.CreateICmpULE(least, llvm::ConstantInt::get(type, most - range));
      root.holds = builder_.CreateAnd(root.holds, fits);
    }
    return roots_.insert({&value, root}).first->second;
  }

  /// The first lane's value, where the roots that it is made of hold.
  llvm::Value *likelyBase(llvm::Value &value) {
    if (const auto found = roots_.find(&value); found != roots_.end()) return found->second.base;
    if (!shapes_.guess(value)) return scalar(value);
    auto &instruction = llvm::cast<llvm::Instruction>(value);
    if (const auto *parts = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction); parts && parts->isDisjoint())
      return builder_.CreateAdd(likelyBase(*instruction.getOperand(0)), likelyBase(*instruction.getOperand(1)));
    Values operands;
    for (llvm::Value *operand : instruction.operands()) {
      const bool isShort = llvm::isa<llvm::GetElementPtrInst>(instruction) && operand->getType()->isIntegerTy() &&
                           operand->getType()->getIntegerBitWidth() < 64;
      operands.push_back(isShort && shapes_.of(*operand).isAffine()
                             ? extend(*operand, builder_.getInt64Ty(), /*isSigned=*/true)
                             : likelyBase(*operand));
    }
    llvm::Instruction *copy = instruction.clone();
    for (auto [number, operand] : llvm::enumerate(operands)) copy->setOperand(unsigned(number), operand);
    copy->dropPoisonGeneratingFlags();
    builder_.Insert(copy, instruction.getName());
    return copy;
  }

  void setBehind(llvm::Value &value) {
    auto *made = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!made)
      builder_.SetInsertPoint(turn_.first->getTerminator());
    else if (llvm::isa<llvm::PHINode>(made))
      builder_.SetInsertPoint(made->getParent(), made->getParent()->getFirstInsertionPt());
    else
      builder_.SetInsertPoint(made->getParent(), std::next(made->getIterator()));
  }

  /// What a group accesses, as one piece of memory that begins before `place`.
  Values accessAtOnce(const AccessGroup &group, llvm::Value *place, llvm::Value *mask) {
    llvm::Type *element = llvm::getLoadStoreType(group.place);
    const bool isMixed = group.members > 1;
    llvm::Type *type = isMixed ? llvm::FixedVectorType::get(element, width_ * group.members) : wideType(element);
    if (group.before != 0)
      place = builder_.CreateGEP(builder_.getInt8Ty(), place, builder_.getInt64(uint64_t(-group.before)));
    mask = forElements(mask, type);
    if (group.isStore) {
      llvm::SmallVector<llvm::Value *, 4> values;
      for (llvm::Instruction *store : group.accesses)
        values.push_back(wide(*llvm::cast<llvm::StoreInst>(store)->getValueOperand()));
      llvm::Value *mixed = values.front();
      if (isMixed)
        mixed = builder_.CreateShuffleVector(llvm::concatenateVectors(builder_, values),
                                             llvm::createInterleaveMask(width_, group.members));
      llvm::Instruction *made =
          mask ? static_cast<llvm::Instruction *>(builder_.CreateMaskedStore(mixed, place, group.alignment, mask))
               : builder_.CreateAlignedStore(mixed, place, group.alignment);
      keepCommonFacts(*made, group);
      return {};
    }
    if (group.count() < group.members) { // what nobody asks for may not be there
      llvm::SmallVector<llvm::Constant *, 64> asked;
      for (unsigned lane = 0; lane < width_; ++lane)
        for (llvm::Instruction *load : group.accesses) asked.push_back(builder_.getInt1(load != nullptr));
      llvm::Value *members = llvm::ConstantVector::get(asked);
      mask = mask ? builder_.CreateAnd(mask, members) : members;
    }
    llvm::Instruction *made = mask ? static_cast<llvm::Instruction *>(builder_.CreateMaskedLoad(
                                         type, place, group.alignment, mask, llvm::Constant::getNullValue(type)))
                                   : builder_.CreateAlignedLoad(type, place, group.alignment);
    keepCommonFacts(*made, group);
    if (!isMixed) return {made};
    Values values;
    for (auto [member, load] : llvm::enumerate(group.accesses))
      if (load)
        values.push_back(
            builder_.CreateShuffleVector(made, llvm::createStrideMask(unsigned(member), group.members, width_)));
    return values;
  }

  static void keepCommonFacts(llvm::Instruction &made, const AccessGroup &group) {
    keepFacts(made, *group.place);
    for (llvm::Instruction *access : group.accesses)
      for (unsigned kind : kFacts)
        if (access && access->getMetadata(kind) != group.place->getMetadata(kind)) made.setMetadata(kind, nullptr);
  }

  /// One lane after another, in their order.
  void emitSerial(llvm::Instruction &instruction, llvm::Value *mask) {
    llvm::Type *type = instruction.getType();
    llvm::AllocaInst *slot = type->isVoidTy() ? nullptr : makeSlot(wideType(type), "lanes");
    if (slot) builder_.CreateStore(llvm::PoisonValue::get(wideType(type)), slot);
    for (llvm::Value *operand : instruction.operands())
      if (!llvm::isa<llvm::Constant>(operand) && !llvm::isa<llvm::MetadataAsValue>(operand) &&
          !shapes_.of(*operand).isUniform())
        (void)wide(*operand);
    for (unsigned lane = 0; lane < width_; ++lane) {
      llvm::BasicBlock *after = nullptr;
      if (mask) {
        auto *does = llvm::BasicBlock::Create(context_, "lane", &entry_, turn_.last);
        after = llvm::BasicBlock::Create(context_, "lane.done", &entry_, turn_.last);
        builder_.CreateCondBr(builder_.CreateExtractElement(mask, lane), does, after);
        builder_.SetInsertPoint(does);
      }
      llvm::Instruction *copy = instruction.clone();
      for (llvm::Use &operand : copy->operands()) {
        if (llvm::isa<llvm::Constant>(operand) || llvm::isa<llvm::MetadataAsValue>(operand)) continue;
        operand =
            shapes_.of(*operand).isUniform() ? scalar(*operand) : builder_.CreateExtractElement(wide(*operand), lane);
      }
      builder_.Insert(copy);
      copy->setDebugLoc(instruction.getDebugLoc());
      if (slot)
        builder_.CreateStore(
            builder_.CreateInsertElement(builder_.CreateLoad(slot->getAllocatedType(), slot), copy, lane), slot);
      if (after) {
        builder_.CreateBr(after);
        builder_.SetInsertPoint(after);
      }
    }
    if (!slot) return;
    llvm::Value *lanes = builder_.CreateLoad(slot->getAllocatedType(), slot);
    if (shapes_.of(instruction).isUniform())
      scalars_[&instruction] = firstOf(lanes, mask);
    else
      wides_[&instruction] = lanes;
  }

  /// One operation for all lanes; what each of them found there is what its order among them makes it.
  void emitCombined(llvm::AtomicRMWInst &update, llvm::Value *mask) {
    const CombiningUpdate &kind = *combiningUpdate(update);
    llvm::Value &operand = *update.getValOperand();
    llvm::Type *type = operand.getType();
    const bool isWanted = !update.use_empty();
    llvm::Value *before = nullptr; // of each lane, what those before it bring
    llvm::Value *together = nullptr;
    if (shapes_.of(operand).isUniform() && kind.isIdempotent) {
      together = scalar(operand);
    } else if (shapes_.of(operand).isUniform() && kind.combination == abi::Combination::Add) {
      together = builder_.CreateMul(scalar(operand), lanesIn(mask, type));
      if (isWanted) before = builder_.CreateMul(wide(operand), lanesBefore(mask, type));
    } else {
      llvm::Value *lanes = wide(operand);
      if (mask) {
        llvm::Constant *nothing = identityOf(kind.combination, type);
        lanes = builder_.CreateSelect(mask, lanes, llvm::ConstantVector::getSplat(count(), nothing));
      }
      if (isWanted) before = builder_.CreateSub(sumsUpTo(lanes), lanes);
      together = builder_.CreateIntrinsic(type, kind.reduction, {lanes});
    }
    auto *copy = llvm::cast<llvm::AtomicRMWInst>(update.clone());
    copy->setOperand(0, scalar(*update.getPointerOperand()));
    copy->setOperand(1, together);
    builder_.Insert(copy, update.getName());
    copy->setDebugLoc(update.getDebugLoc());
    if (!isWanted) return;
    const auto step =
        update.getOperation() == llvm::AtomicRMWInst::Sub ? llvm::Instruction::Sub : llvm::Instruction::Add;
    wides_[&update] = builder_.CreateBinOp(step, builder_.CreateVectorSplat(count(), copy), before);
  }

  llvm::Value *lanesIn(llvm::Value *mask, llvm::Type *type) {
    if (!mask) return llvm::ConstantInt::get(type, width_);
    llvm::Value *bits = builder_.CreateBitCast(mask, builder_.getIntNTy(width_));
    return builder_.CreateZExtOrTrunc(builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits), type);
  }

  llvm::Value *lanesBefore(llvm::Value *mask, llvm::Type *type) {
    if (!mask) return laneNumbers(type, 1);
    llvm::IntegerType *number = builder_.getIntNTy(width_);
    llvm::SmallVector<llvm::Constant *, 16> below;
    for (unsigned lane = 0; lane < width_; ++lane)
      below.push_back(llvm::ConstantInt::get(number, (uint64_t(1) << lane) - 1));
    llvm::Value *bits = builder_.CreateVectorSplat(count(), builder_.CreateBitCast(mask, number));
    bits = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop,
                                         builder_.CreateAnd(bits, llvm::ConstantVector::get(below)));
    return builder_.CreateZExtOrTrunc(bits, wideType(type));
  }

  /// Of each lane, its number and those of all lanes before it.
  llvm::Value *sumsUpTo(llvm::Value *lanes) {
    llvm::Constant *zeros = llvm::Constant::getNullValue(lanes->getType());
    for (unsigned distance = 1; distance < width_; distance *= 2) {
      llvm::SmallVector<int, 16> from;
      for (unsigned lane = 0; lane < width_; ++lane)
        from.push_back(lane < distance ? int(width_) : int(lane - distance));
      lanes = builder_.CreateAdd(lanes, builder_.CreateShuffleVector(lanes, zeros, from));
    }
    return lanes;
  }

  llvm::Value *firstOf(llvm::Value *lanes, llvm::Value *mask) {
    if (!mask) return builder_.CreateExtractElement(lanes, uint64_t(0));
    llvm::Value *bits = builder_.CreateBitCast(mask, builder_.getIntNTy(width_));
    return builder_.CreateExtractElement(
        lanes, builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, builder_.getTrue()));
  }

  // ---- the end ----

  void mend() {
    // Guards, now that all that is to come is known.
    for (auto &[block, guard] : guards_) {
      builder_.SetInsertPoint(guard);
      builder_.SetCurrentDebugLocation({});
      llvm::Value *mask = masks_.lookup(block);
      if (auto found = maskSlots_.find(block); found != maskSlots_.end())
        mask = builder_.CreateLoad(maskType(), found->second);
      llvm::Value *some = any(mask);
      unsigned first = ~0u;
      for (unsigned one : later_[block]) first = std::min(first, one);
      skips_.push_back({guard, block, first, some});
    }
    for (auto &skip : skips_) {
      llvm::BasicBlock *next = lanes_.order()[skip.first];
      llvm::BasicBlock *target = guards_.contains(next) ? guards_[next] : start_[next];
      Builder(skip.guard)
          .CreateCondBr(skip.some, start_[skip.block], target,
                        isRare(*skip.block) ? llvm::MDBuilder(context_).createUnlikelyBranchWeights() : nullptr);
    }
    for (auto &[block, slots] : resets_) {
      llvm::BasicBlock *at = block ? start_[const_cast<llvm::BasicBlock *>(block)] : turn_.first;
      Builder before(at, at->begin());
      for (auto [slot, value] : slots) before.CreateStore(value, slot);
    }
    // By a jump past it, a value may not come to all who were below it.
    llvm::DominatorTree dominators(entry_);
    llvm::SmallVector<llvm::Instruction *, 16> lost;
    for (llvm::Instruction &instruction : llvm::instructions(entry_))
      if (llvm::any_of(instruction.uses(), [&](llvm::Use &use) { return !dominators.dominates(&instruction, use); }))
        lost.push_back(&instruction);
    for (llvm::Instruction *instruction : lost) {
      llvm::AllocaInst *slot = makeSlot(instruction->getType(), instruction->getName());
      llvm::SmallVector<llvm::Use *, 8> uses;
      for (llvm::Use &use : instruction->uses()) uses.push_back(&use);
      for (llvm::Use *use : uses) {
        auto *user = llvm::cast<llvm::Instruction>(use->getUser());
        use->set(new llvm::LoadInst(instruction->getType(), slot, "", user->getIterator()));
      }
      new llvm::StoreInst(instruction, slot, std::next(instruction->getIterator()));
    }
    llvm::SmallVector<llvm::AllocaInst *, 32> kept(slots_);
    llvm::PromoteMemToReg(kept, dominators);
    if (masksAreFree()) return;
    llvm::SmallVector<llvm::BranchInst *, 8> guards;
    for (const Skip &skip : skips_) guards.push_back(llvm::cast<llvm::BranchInst>(skip.guard->getTerminator()));
    copyForWholeVectors(entry_, guards);
  }

  struct Skip {
    llvm::BasicBlock *guard, *block;
    unsigned first;
    llvm::Value *some;
  };

  LaneFunction &lanes_;
  const Shapes &shapes_;
  const unsigned width_;
  const WideTurn &turn_;
  const Processor processor_;
  llvm::Function &entry_;
  llvm::LLVMContext &context_;
  const llvm::DataLayout &layout_;
  Builder builder_, top_;
  const AccessGroups groups_;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> divergent_;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> index_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> start_, end_;
  llvm::MapVector<llvm::BasicBlock *, llvm::BasicBlock *> guards_;
  llvm::DenseMap<const llvm::BasicBlock *, Set> later_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::Value *> masks_; ///< null: all lanes
  llvm::DenseMap<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, llvm::Value *> edges_;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> scalars_, wides_;
  llvm::DenseMap<const llvm::PHINode *, llvm::AllocaInst *> phiSlots_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::AllocaInst *> maskSlots_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::Value *> askedAlike_; ///< at the ends of loops, whether to go on
  llvm::DenseMap<const llvm::Argument *, Private> privates_;
  llvm::SmallVector<llvm::AllocaInst *, 32> slots_;
  llvm::MapVector<const llvm::BasicBlock *, llvm::SmallVector<std::pair<llvm::AllocaInst *, llvm::Value *>, 4>> resets_;
  llvm::SmallVector<Skip, 8> skips_;
  llvm::SmallVector<llvm::CallInst *, 16> wideCalls_;
  llvm::DenseMap<const llvm::Value *, Root> roots_;
};

} // namespace

bool isCombined(const llvm::Instruction &instruction, const Shapes &shapes) {
  auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  const CombiningUpdate *kind = update ? combiningUpdate(*update) : nullptr;
  return kind && shapes.of(*update->getPointerOperand()).isUniform() &&
         (update->use_empty() || kind->combination == abi::Combination::Add);
}

bool isSerial(const llvm::Instruction &instruction) {
  if (instruction.isAtomic() && !llvm::isa<llvm::FenceInst>(instruction)) return true;
  // Local memory belongs to this thread's work-items alone, which are in step here: it is as any other.
  const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
  if (pointer && instruction.isVolatile()) return pointer->getType()->getPointerAddressSpace() != 3;
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (!call || isNothing(instruction) || isMarker(instruction) || ofLanes(instruction) != OfLanes::Nothing ||
      isOfAllLanes(instruction))
    return false;
  auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
  return !intrinsic || !llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID());
}

bool isDivision(const llvm::Instruction &instruction) {
  return instruction.getOpcode() == llvm::Instruction::UDiv || instruction.getOpcode() == llvm::Instruction::SDiv ||
         instruction.getOpcode() == llvm::Instruction::URem || instruction.getOpcode() == llvm::Instruction::SRem;
}

bool suitsWhole(LaneFunction &lanes, const Shapes &shapes) {
  const llvm::DataLayout &layout = lanes.function().getDataLayout();
  for (llvm::Instruction &instruction : llvm::instructions(lanes.function())) {
    if (isNothing(instruction)) continue;
    const auto isVector = [](const llvm::Value *value) { return value->getType()->isVectorTy(); };
    if (!isVector(&instruction) && llvm::none_of(instruction.operands(), isVector)) continue;
    const bool isMemory = llvm::getLoadStorePointerOperand(&instruction) || isSerial(instruction);
    if (!isMemory && !isMarker(instruction) && !lanes.isDivergent(instruction)) continue; // done once for all
    if (isSerial(instruction) || isMarker(instruction)) return false;
    if (llvm::isa<llvm::ExtractElementInst, llvm::InsertElementInst, llvm::ShuffleVectorInst, llvm::GetElementPtrInst>(
            instruction))
      return false;
    const auto isTruth = [](const llvm::Type *type) { return type->isIntOrIntVectorTy(1); };
    if (auto *cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
        cast && (isTruth(cast->getSrcTy()) || isTruth(cast->getDestTy())))
      return false;
    llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer) continue;
    if (lanes.privateMemory(pointer)) return false;
    const llvm::Type *type = llvm::getLoadStoreType(&instruction);
    const Shape shape = shapes.of(*pointer);
    const uint64_t bytes = elements(type) * layout.getTypeStoreSize(type->getScalarType());
    const bool isSideBySide = shape.isAffine() && uint64_t(shape.stride) == bytes;
    if (!isSideBySide && !(shape.isUniform() && llvm::isa<llvm::LoadInst>(instruction))) return false;
  }
  return true;
}

bool isDividedAsReal(const llvm::Instruction &division) {
  return division.getType()->isIntegerTy() && division.getType()->getIntegerBitWidth() <= 32 &&
         !llvm::isa<llvm::Constant>(division.getOperand(1));
}

Obstacle obstacleToWidening(LaneFunction &lanes, bool takesVolatile) {
  // Of what was split nothing is left, but for what cannot be.
  const auto partOf = [&](llvm::Type *type) {
    return lanes.vectors() == LaneFunction::Vectors::Whole ? type->getScalarType() : type;
  };
  for (llvm::Argument &argument : lanes.function().args()) {
    if (lanes.privateMemory(&argument) != &argument) continue;
    if (!llvm::cast<llvm::AllocaInst>(lanes.outer(argument))->getAllocationSize(lanes.function().getDataLayout()))
      return "private memory's size is not known";
    llvm::SmallPtrSet<llvm::Value *, 16> seen;
    llvm::SmallVector<llvm::Value *, 16> open{&argument};
    while (!open.empty()) {
      llvm::Value *pointer = open.pop_back_val();
      if (!seen.insert(pointer).second) continue;
      for (llvm::User *user : pointer->users()) {
        auto &instruction = llvm::cast<llvm::Instruction>(*user);
        if (llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst, llvm::AddrSpaceCastInst>(instruction))
          open.push_back(user);
        else if (!isNothing(instruction) && llvm::getLoadStorePointerOperand(&instruction) != pointer)
          return "private memory goes to a " + std::string(instruction.getOpcodeName());
      }
    }
  }
  for (llvm::Instruction &instruction : llvm::instructions(lanes.function())) {
    if (isNothing(instruction) || isMarker(instruction)) continue;
    const std::string name = instruction.getOpcodeName();
    if (llvm::isa<llvm::AllocaInst, llvm::VAArgInst>(instruction)) return "there is a " + name;
    if (!instruction.getType()->isVoidTy() && !isElement(partOf(instruction.getType())))
      return "the type of a " + name + " is not that of an element";
    // Of a vector that is the same for all, and was made before.
    if (llvm::isa<llvm::ExtractElementInst>(instruction) && !lanes.isDivergent(instruction)) continue;
    for (llvm::Value *operand : instruction.operands()) {
      llvm::Type *type = operand->getType();
      if (!type->isLabelTy() && !type->isMetadataTy() && !isElement(partOf(type)))
        return "an operand of a " + name + " is not an element";
    }
    llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (instruction.isVolatile() && (!takesVolatile || !pointer || lanes.privateMemory(pointer)))
      return "an access is volatile";
    if (!pointer) continue;
    if (!isInMemory(partOf(llvm::getLoadStoreType(&instruction)))) return "a truth value lies in memory";
    if (instruction.isAtomic() && lanes.privateMemory(pointer)) return "private memory is accessed atomically";
    if (!lanes.privateMemory(pointer)) continue;
    llvm::SmallVector<const llvm::Value *, 4> objects;
    llvm::getUnderlyingObjects(pointer, objects, nullptr, 0);
    if (objects.size() != 1) return "a pointer may be one to private memory";
  }
  return {};
}

llvm::SmallVector<llvm::WeakTrackingVH, 2> widen(LaneFunction &lanes, const Shapes &shapes, unsigned width,
                                                 const WideTurn &turn, const Processor &processor) {
  return Widener(lanes, shapes, width, turn, processor).run();
}

} // namespace us::codegen
