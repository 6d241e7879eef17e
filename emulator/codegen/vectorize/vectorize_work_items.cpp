// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/vectorize/vectorize_work_items.h"

#include "emulator/abi/kernel_abi.h"
#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/group_loop.h"
#include "emulator/codegen/instrument/check_races.h"
#include "emulator/codegen/passes/choose_vector_form.h"
#include "emulator/codegen/remarks.h"
#include "emulator/codegen/vectorize/cost.h"
#include "emulator/codegen/vectorize/interleave.h"
#include "emulator/codegen/vectorize/lane_function.h"
#include "emulator/codegen/vectorize/shapes.h"
#include "emulator/codegen/vectorize/wide_calls.h"
#include "emulator/codegen/vectorize/widen.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <limits>

namespace us::codegen {
namespace {

using Builder = llvm::IRBuilder<>;

constexpr unsigned kLargestWidth = 16, kSmallestWidth = 8;
/// Instructions of a loop that are not worth the time of an attempt.
constexpr unsigned kLongest = 4000;
/// The share of longer elements among short ones that is no matter.
constexpr float kFewLong = 0.125f;
/// What is estimated must be so much better.
constexpr float kWorthIt = 0.8f;

/// Of the language's own: what the loop vectorizer does not take.
bool hasVectors(const llvm::Loop &loop) {
  const auto isVector = [](const llvm::Value *value) { return value->getType()->isVectorTy(); };
  return llvm::any_of(loop.blocks(), [&](llvm::BasicBlock *block) {
    return llvm::any_of(*block, [&](llvm::Instruction &instruction) {
      return isVector(&instruction) || llvm::any_of(instruction.operands(), isVector);
    });
  });
}

/// The metadata of a loop over what was left of one whose turns were several vectors.
constexpr const char *kRest = "us.rest";
/// Vectors of a turn.
constexpr unsigned kMostVectors = 4;

bool isOfWorkItems(const llvm::Loop &loop) { return llvm::findOptionMDForLoop(&loop, kWorkItemLoop); }

/// An access of places that are neither the same nor side by side.
bool isApart(llvm::Instruction &instruction, LaneFunction &lanes, const Shapes &shapes) {
  llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
  if (!pointer) return false;
  const Shape shape = shapes.of(*pointer);
  const auto bytes = lanes.function().getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&instruction));
  return !shape.isUniform() && !(shape.isAffine() && shape.stride == int64_t(bytes));
}

/// Accesses that lie apart, a few elements from one work-item to the next: the loop vectorizer reads what lies between
/// too, and puts it where it belongs.
bool isInterleaved(LaneFunction &lanes, const Shapes &shapes) {
  return llvm::any_of(llvm::instructions(lanes.function()), [&](llvm::Instruction &instruction) {
    llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer) return false;
    const Shape shape = shapes.of(*pointer);
    return shape.isAffine() && isApart(instruction, lanes, shapes);
  });
}

/// What the loop vectorizer would gather: what only does not say that it does not wrap it asks about once, before it.
bool isLikelySideBySide(LaneFunction &lanes, const Shapes &shapes) {
  const auto isGathered = [&](const llvm::Value *root) {
    auto *number = llvm::dyn_cast<llvm::Instruction>(root);
    return number && shapes.of(*root).isVarying() && number->getOpcode() != llvm::Instruction::And;
  };
  return llvm::any_of(llvm::instructions(lanes.function()), [&](llvm::Instruction &instruction) {
    llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
    const Guess *likely = pointer ? shapes.guess(*pointer) : nullptr;
    return likely && llvm::any_of(likely->roots, isGathered);
  });
}

/// The loop vectorizer goes no further than one loop, in memory that work-items do not use one after another, knows
/// less of places where work-items part, and does not ask.
bool isForLoopVectorizer(const llvm::Loop &loop, LaneFunction &lanes, const Shapes &shapes) {
  if (!loop.getSubLoops().empty() || hasVectors(loop)) return false;
  if (llvm::any_of(lanes.function().args(),
                   [&](llvm::Argument &argument) { return lanes.privateMemory(&argument) == &argument; }))
    return false;
  if (isLikelySideBySide(lanes, shapes)) return false;
  return isInterleaved(lanes, shapes) ||
         llvm::none_of(lanes.function(), [&](llvm::BasicBlock &block) { return lanes.hasDivergentBranch(block); });
}

/// Vectors of the language at places that are calculated from floating-point numbers, and asked about: with all their
/// elements apart, twice, what sixteen work-items need does not fit short registers, and takes longer to compile.
bool hasVectorsAtLikelyPlaces(const llvm::Loop &loop, LaneFunction &lanes, const Shapes &shapes) {
  return hasVectors(loop) && llvm::any_of(llvm::instructions(lanes.function()), [&](llvm::Instruction &instruction) {
           return llvm::isa<llvm::FPToSIInst>(instruction) &&
                  shapes.guess(static_cast<const llvm::Value &>(instruction));
         });
}

/// Many operations on vectors of the language that fill half of the longest register, or more of it: sixteen of these
/// are eight registers.
bool hasManyLongVectors(LaneFunction &lanes, const Shapes &shapes, const VectorCosts &costs) {
  constexpr long kMany = 32;
  return llvm::count_if(llvm::instructions(lanes.function()), [&](llvm::Instruction &instruction) {
           return shapes.of(instruction).isVarying() && instruction.getType()->isVectorTy() &&
                  instruction.getType()->getPrimitiveSizeInBits().getFixedValue() * 2 >= costs.longestBits;
         }) > kMany;
}

class Vectorizer {
public:
  Vectorizer(llvm::Loop &loop, llvm::ScalarEvolution &evolution, LaneFunction &lanes, const Shapes &shapes)
      : loop_(loop), evolution_(evolution), lanes_(lanes), shapes_(shapes), context_(loop.getHeader()->getContext()) {}

  /// `hasRest`: there may be work-items behind the last whole vector; `isLast`: they go one after another.
  void run(unsigned width, bool hasRest, const Processor &processor, bool isLast = true) {
    llvm::BasicBlock *before = loop_.getLoopPreheader(), *header = loop_.getHeader(), *latch = loop_.getLoopLatch();
    llvm::BasicBlock *exit = loop_.getUniqueExitBlock();
    llvm::Function &function = *header->getParent();
    const auto make = [&](const char *name) { return llvm::BasicBlock::Create(context_, name, &function, header); };
    llvm::BasicBlock *start = make("wide.start"), *turn = make("wide"), *again = make("wide.latch");
    llvm::BasicBlock *behind = make("wide.done"), *rest = make("rest");

    Builder builder(before->getTerminator());
    llvm::Type *number = builder.getInt64Ty();
    llvm::SCEVExpander expander(evolution_, function.getDataLayout(), "items");
    const llvm::SCEV *turns = evolution_.getBackedgeTakenCount(&loop_);
    turns = evolution_.getAddExpr(evolution_.getNoopOrZeroExtend(turns, number), evolution_.getOne(number));
    llvm::Value *all = expander.expandCodeFor(turns, number, before->getTerminator());
    builder.SetInsertPoint(before->getTerminator());
    llvm::Value *inVectors = builder.CreateAnd(all, builder.getInt64(-int64_t(width)), "in.vectors");
    builder.CreateCondBr(hasRest ? builder.CreateICmpEQ(inVectors, builder.getInt64(0)) : builder.getFalse(), rest,
                         start);
    before->getTerminator()->eraseFromParent();

    Builder(start).CreateBr(turn);
    builder.SetInsertPoint(turn);
    llvm::PHINode *counter = builder.CreatePHI(number, 2, "items.begun");
    counter->addIncoming(builder.getInt64(0), start);
    WideTurn wide{turn, again, {}};
    llvm::SmallVector<llvm::PHINode *, 4> phis;
    for (const Induction &induction : lanes_.inductions()) {
      llvm::PHINode *phi = builder.CreatePHI(induction.phi->getType(), 2, induction.phi->getName());
      phi->addIncoming(induction.phi->getIncomingValueForBlock(before), start);
      phis.push_back(phi);
      wide.inductions.push_back(phi);
    }
    Builder first(start->getTerminator());
    llvm::SmallVector<llvm::PHINode *, 1> collectors;
    for (const Collected &one : lanes_.collected()) {
      llvm::Value *begin = one.phi->getIncomingValueForBlock(before);
      if (!one.isSet) {
        auto *none = llvm::Constant::getNullValue(llvm::FixedVectorType::get(one.phi->getType(), width));
        begin = first.CreateInsertElement(none, begin, uint64_t(0));
      }
      llvm::PHINode *phi = builder.CreatePHI(begin->getType(), 2, one.phi->getName());
      phi->addIncoming(begin, start);
      collectors.push_back(phi);
      wide.collected.push_back(phi);
    }
    builder.SetInsertPoint(again);
    const auto moved = [&](llvm::Value *value, llvm::Value *items, int64_t step) -> llvm::Value * {
      llvm::Value *distance = builder.CreateMul(items, builder.getInt64(step));
      if (value->getType()->isPointerTy()) return builder.CreateGEP(builder.getInt8Ty(), value, distance);
      return builder.CreateAdd(value, builder.CreateZExtOrTrunc(distance, value->getType()));
    };
    for (auto [phi, induction] : llvm::zip(phis, lanes_.inductions()))
      phi->addIncoming(moved(phi, builder.getInt64(width), induction.step), again);
    llvm::Value *next = builder.CreateAdd(counter, builder.getInt64(width), "", true, true);
    counter->addIncoming(next, again);
    builder.CreateCondBr(builder.CreateICmpULT(next, inVectors), turn, behind)
        ->setMetadata(llvm::LLVMContext::MD_loop, loopId({kOfVectors}));

    builder.SetInsertPoint(behind);
    llvm::SmallVector<llvm::Value *, 4> reached;
    for (const Induction &induction : lanes_.inductions())
      reached.push_back(moved(induction.phi->getIncomingValueForBlock(before), inVectors, induction.step));
    builder.CreateCondBr(hasRest ? builder.CreateICmpEQ(all, inVectors) : builder.getTrue(), exit, rest);

    builder.SetInsertPoint(rest);
    for (auto [induction, value] : llvm::zip(lanes_.inductions(), reached)) {
      llvm::PHINode *phi = builder.CreatePHI(induction.phi->getType(), 2);
      phi->addIncoming(induction.phi->getIncomingValueForBlock(before), before);
      phi->addIncoming(value, behind);
      induction.phi->setIncomingValue(unsigned(induction.phi->getBasicBlockIndex(before)), phi);
      induction.phi->replaceIncomingBlockWith(before, rest);
    }
    builder.CreateBr(header);
    // Where memory becomes values, PHI nodes are added there, and those without an edge get an undefined value for it.
    llvm::SmallVector<llvm::PHINode *, 4> atExit;
    for (llvm::PHINode &phi : exit->phis()) atExit.push_back(&phi);
    for (llvm::PHINode *phi : atExit) phi->addIncoming(llvm::PoisonValue::get(phi->getType()), behind);
    auto results = widen(lanes_, shapes_, width, wide, processor);
    for (auto [one, collector] : llvm::zip(lanes_.collected(), collectors)) {
      collector->addIncoming(results[one.result], again);
      if (!one.isSet) results[one.result] = Builder(behind->getTerminator()).CreateOrReduce(results[one.result]);
      llvm::PHINode *phi = Builder(rest, rest->begin()).CreatePHI(one.phi->getType(), 2);
      phi->addIncoming(one.phi->getIncomingValueForBlock(before), before);
      phi->addIncoming(results[one.result], behind);
      one.phi->setIncomingValue(unsigned(one.phi->getBasicBlockIndex(before)), phi);
      one.phi->replaceIncomingBlockWith(before, rest);
    }
    for (llvm::PHINode *phi : atExit) {
      llvm::Value *value = phi->getIncomingValueForBlock(latch), *last = value;
      for (auto [result, ofVectors] : llvm::zip(lanes_.results(), results))
        if (result == value) last = ofVectors;
      phi->setIncomingValueForBlock(behind, last);
    }
    markRest(*latch, isLast);
  }

private:
  /// What is left of the loop is not worth the care of another vectorizer, or less than a long vector.
  void markRest(llvm::BasicBlock &latch, bool isLast) {
    llvm::MDNode *id = isLast ? loopId({"llvm.loop.isvectorized", "llvm.loop.unroll.disable", kOfVectors})
                              : loopId({kWorkItemLoop, kRest});
    latch.getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, id);
  }

  llvm::MDNode *loopId(std::initializer_list<const char *> names) {
    llvm::SmallVector<llvm::Metadata *, 4> parts{nullptr};
    for (const char *name : names)
      parts.push_back(llvm::MDNode::get(
          context_, {llvm::MDString::get(context_, name),
                     llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context_), 1))}));
    llvm::MDNode *id = llvm::MDNode::getDistinct(context_, parts);
    id->replaceOperandWith(0, id);
    return id;
  }

  llvm::Loop &loop_;
  llvm::ScalarEvolution &evolution_;
  LaneFunction &lanes_;
  const Shapes &shapes_;
  llvm::LLVMContext &context_;
};

/// Whether work-items walk along rows, an element a turn: what they load becomes transposed blocks of as many turns as
/// a register has lanes (transpose_row_walks.h), and those of more lanes than that do not fit the registers.
bool walkAlongRows(LaneFunction &lanes, const Shapes &shapes) {
  return llvm::any_of(llvm::instructions(lanes.function()), [&](llvm::Instruction &instruction) {
    auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    const llvm::Loop *loop = load ? lanes.loops().getLoopFor(load->getParent()) : nullptr;
    auto *place = loop ? llvm::dyn_cast<llvm::GetElementPtrInst>(load->getPointerOperand()) : nullptr;
    if (!place || place->getNumIndices() != 1 || !loop->isInnermost() || loop->getNumBlocks() != 1) return false;
    const llvm::Value &row = *place->getPointerOperand(), &index = *place->getOperand(1);
    return load->getType()->getScalarSizeInBits() >= 32 && loop->isLoopInvariant(&row) && shapes.of(row).isVarying() &&
           !loop->isLoopInvariant(&index) && shapes.of(index).isUniform();
  });
}

/// How many of the operations that differ from lane to lane are of elements of so many bits at least.
float shareOf(unsigned least, LaneFunction &lanes, const Shapes &shapes) {
  unsigned all = 0, some = 0;
  for (llvm::Instruction &instruction : llvm::instructions(lanes.function())) {
    if (!shapes.of(instruction).isVarying() || instruction.getType()->isVoidTy()) continue;
    ++all;
    some += instruction.getType()->getScalarSizeInBits() >= least && !llvm::isa<llvm::CastInst>(instruction);
  }
  return all ? float(some) / float(all) : 0;
}

/// Lanes for a loop: as many as there are work-items, or parts of them without a rest; 0: too few.
unsigned chooseWidth(llvm::Loop &loop, llvm::ScalarEvolution &evolution, unsigned largest) {
  const unsigned items = evolution.getSmallConstantTripCount(&loop);
  if (items == 0) return largest;
  for (unsigned width = largest; width >= kSmallestWidth; width /= 2)
    if (items % width == 0) return width;
  for (unsigned width = largest; width >= kSmallestWidth; width /= 2)
    if (items >= 2 * width) return width;
  return 0;
}

/// Whether vectors leave no rest. A loop begins with a work-item, so it goes round once at least, also by what is said
/// of the number of its turns; that number itself is never zero.
bool hasWholeVectors(llvm::Loop &loop, llvm::ScalarEvolution &evolution, unsigned width) {
  const llvm::SCEV *more = evolution.getBackedgeTakenCount(&loop);
  const llvm::SCEV *turns = evolution.getAddExpr(more, evolution.getOne(more->getType()));
  if (auto *most = llvm::dyn_cast<llvm::SCEVUMaxExpr>(turns); most && most->getNumOperands() == 2)
    if (most->getOperand(0)->isOne()) turns = most->getOperand(1);
  return evolution.getMinTrailingZeros(turns) >= llvm::Log2_32(width);
}

/// What differs between work-items and is carried around a loop, and that with what comes from outside of it: the most
/// of any loop.
struct AroundLoops {
  unsigned carried = 0, all = 0;
};

AroundLoops valuesAroundLoops(LaneFunction &lanes, const Shapes &shapes) {
  AroundLoops most;
  for (llvm::Loop *inner : lanes.loops().getLoopsInPreorder()) {
    llvm::SmallPtrSet<llvm::Value *, 16> carried, all;
    for (llvm::BasicBlock *block : inner->blocks())
      for (llvm::Instruction &instruction : *block) {
        const bool isCarried = llvm::isa<llvm::PHINode>(instruction) && block == inner->getHeader();
        if (isCarried && shapes.of(instruction).isVarying()) carried.insert(&instruction);
        for (llvm::Value *operand : instruction.operands())
          if (inner->isLoopInvariant(operand) && shapes.of(*operand).isVarying()) all.insert(operand);
      }
    all.insert(carried.begin(), carried.end());
    most = {std::max(most.carried, unsigned(carried.size())), std::max(most.all, unsigned(all.size()))};
  }
  return most;
}

/// How many vectors to do at once: in a loop that all work-items run alike one waits for the last turn's result while
/// the others are calculated, and they share what is the same for all.
unsigned vectorsAtOnce(const llvm::Loop &loop, LaneFunction &lanes, const Shapes &shapes, unsigned registers,
                       const AroundLoops &around) {
  if (lanes.loops().empty() || llvm::findOptionMDForLoop(&loop, kRest) || hasVectors(loop)) return 1;
  if (llvm::any_of(lanes.function(), [&](llvm::BasicBlock &block) { return lanes.hasDivergentBranch(block); }))
    return 1;
  if (llvm::any_of(lanes.function().args(), [&](llvm::Argument &argument) { return lanes.privateMemory(&argument); }))
    return 1;
  // Places apart are what one waits for then, and more of them find less in the cache.
  if (llvm::any_of(llvm::instructions(lanes.function()), [&](llvm::Instruction &instruction) {
        return isSerial(instruction) || isApart(instruction, lanes, shapes);
      }))
    return 1;
  return std::clamp(llvm::bit_floor(registers / (2 + around.all)), 1u, kMostVectors);
}

/// Where nearly all elements are short more of them fit a register, if rows of work-items are that long.
unsigned longerWidth(unsigned width, llvm::Loop &loop, llvm::ScalarEvolution &evolution, LaneFunction &lanes,
                     const Shapes &shapes, const VectorCosts &costs) {
  for (const unsigned bits : {8u, 16u}) {
    const unsigned longer = costs.longestBits / bits;
    if (longer > width && hasWholeVectors(loop, evolution, longer) && shareOf(bits + 1, lanes, shapes) <= kFewLong)
      return longer;
  }
  return width;
}

/// The same with private arrays in registers, if there are such that are better there.
class InRegisters {
public:
  InRegisters(llvm::Loop &loop, llvm::ScalarEvolution &evolution, LaneFunction &inMemory,
              llvm::FunctionAnalysisManager &analyses, unsigned width, const VectorCosts &costs) {
    const llvm::SmallVector<llvm::Value *, 4> memories = inMemory.arraysForRegisters();
    if (memories.empty() || inMemory.stepsTogether()) return;
    lanes_.emplace(loop, evolution, analyses);
    if (!lanes_->unrollOverArrays(memories, analyses)) return;
    const float moreTurns = scalarCost(*lanes_, costs) / scalarCost(inMemory, costs);
    lanes_->putArraysInRegisters(memories, analyses);
    if (!lanes_->obstacle().empty() || !obstacleToWidening(*lanes_, /*takesVolatile=*/false).empty()) return;
    shapes_.emplace(*lanes_, 0);
    cost_ = vectorCost(*lanes_, *shapes_, width, costs) / moreTurns;
  }

  /// In as many turns of loops as were supposed before they were taken apart.
  float cost() const { return cost_; }
  LaneFunction &lanes() { return *lanes_; }
  const Shapes &shapes() const { return *shapes_; }

private:
  std::optional<LaneFunction> lanes_;
  std::optional<Shapes> shapes_;
  float cost_ = std::numeric_limits<float>::infinity();
};

/// What is the same for as many work-items by its arithmetic alone (a row's number, of as many columns) is taken for
/// the same: work-items do not part by it.
void takeForSame(LaneFunction &lanes, unsigned width) {
  lanes.takeForSame({});
  const Shapes shapes(lanes, width);
  llvm::SmallVector<const llvm::Instruction *, 8> same;
  for (llvm::Instruction &instruction : llvm::instructions(lanes.function()))
    if (lanes.isDivergent(instruction) && shapes.of(instruction).isUniform()) same.push_back(&instruction);
  if (!same.empty()) lanes.takeForSame(same);
}

bool isWorthVectors(llvm::Loop &loop, LaneFunction &lanes, unsigned width, const VectorCosts &costs,
                    llvm::FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<llvm::LoopAnalysis>(*loop.getHeader()->getParent());
  const Shapes shapes(lanes, width);
  return vectorCost(lanes, shapes, width, costs) <= kWorthIt * scalarCost(loop, loops, costs) * float(width);
}

Processor processorOf(abi::Target target) { return {vectorCosts(target), wordPermutations(target)}; }

/// As many vectors of work-items as are estimated to be best, and the others behind them.
Obstacle vectorize(llvm::Loop &loop, LaneFunction &lanes, const Shapes &shapes, llvm::FunctionAnalysisManager &analyses,
                   llvm::Function &function, bool isLast, const abi::Specialization &specialization) {
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  const bool isForced = specialization.vectorPlan == abi::VectorPlan::Always;
  const VectorCosts *costs = vectorCosts(specialization.target);
  const bool gathersWords = costs && costs->gathersWords;
  const AroundLoops around = valuesAroundLoops(lanes, shapes);
  // Of elements of 64 bits a register has half as many, and where a register is half as long they are soon used up.
  const bool takesTwo = costs && costs->longestBits < 32 * kLargestWidth;
  const bool isNarrow =
      shareOf(64, lanes, shapes) > 0.5f ||
      (takesTwo && (walkAlongRows(lanes, shapes) || hasVectorsAtLikelyPlaces(loop, lanes, shapes) ||
                    hasManyLongVectors(lanes, shapes, *costs) || 2 * around.carried > costs->carriedRegisters()));
  const unsigned largest = isNarrow ? kSmallestWidth : kLargestWidth;
  const unsigned vectors = costs ? vectorsAtOnce(loop, lanes, shapes, costs->carriedRegisters(), around) : 1;
  const unsigned items = evolution.getSmallConstantTripCount(&loop);
  const bool isLong = vectors > 1 && (items == 0 || items >= vectors * largest);
  const unsigned width = isLong ? vectors * largest : chooseWidth(loop, evolution, largest);
  // Where vectors were split for it, only its success counts (generate.cpp).
  const bool isLeft = !isLast || function.hasFnAttribute(kSplitVectors);
  if (isLeft && !isForced && isForLoopVectorizer(loop, lanes, shapes)) {
    const unsigned turns = !isLast && costs && !gathersWords ? turnsTogether(loop) : 1;
    if (turns == 1 || isWorthVectors(loop, lanes, width, *costs, analyses)) return "it is left to the loop vectorizer";
    interleave(loop, turns);
    return "its work-items are interleaved";
  }
  if (Obstacle obstacle = obstacleToWidening(lanes, /*takesVolatile=*/false); !obstacle.empty()) return obstacle;
  if (!costs) costs = vectorCosts(abi::Target::Sse42); // it is forced
  takeForSame(lanes, width);
  InRegisters inRegisters(loop, evolution, lanes, analyses, width, *costs);
  std::optional<Shapes> known(std::in_place, lanes, width);
  const float inMemory = vectorCost(lanes, *known, width, *costs);
  const bool areRegisters = inRegisters.cost() < inMemory;
  if (!isForced) {
    const float before = scalarCost(loop, analyses.getResult<llvm::LoopAnalysis>(function), *costs) * float(width);

    const float after = areRegisters ? inRegisters.cost() : inMemory;
    if (after > kWorthIt * before)
      return "it would cost " + std::to_string(int(after)) + " instead of " + std::to_string(int(before));
  }
  LaneFunction &chosen = areRegisters ? inRegisters.lanes() : lanes;
  const Shapes &chosenShapes = areRegisters ? inRegisters.shapes() : shapes;
  const unsigned longest = isLong ? width : longerWidth(width, loop, evolution, chosen, chosenShapes, *costs);
  if (areRegisters || longest != width) {
    takeForSame(chosen, longest);
    known.emplace(chosen, longest);
  }
  const bool hasRest = !hasWholeVectors(loop, evolution, longest);
  Vectorizer(loop, evolution, chosen, *known)
      .run(longest, hasRest, processorOf(specialization.target), !isLong || !hasRest);
  return {};
}

Obstacle vectorize(llvm::Loop &loop, llvm::FunctionAnalysisManager &analyses, llvm::Function &function, bool isLast,
                   const abi::Specialization &specialization) {
  auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
  if (llvm::isa<llvm::SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop)))
    return "the number of work-items is not known";
  const bool isForced = specialization.vectorPlan == abi::VectorPlan::Always;
  const bool isOfSubGroups = waitsForSubGroup(loop);
  const VectorCosts *costs = vectorCosts(specialization.target);
  if (!costs && !isForced && !isOfSubGroups) return "this processor's vectors have no masks";
  if (!isOfSubGroups && chooseWidth(loop, evolution, kLargestWidth) == 0) return "there are too few work-items";
  unsigned size = 0;
  for (llvm::BasicBlock *block : loop.blocks()) size += unsigned(block->size());
  if (size > kLongest) return "it is too long";
  if (!isOfSubGroups && hasVectors(loop)) {
    LaneFunction whole(loop, evolution, analyses, LaneFunction::Vectors::Whole);
    if (!whole.obstacle().empty()) return whole.obstacle();
    const Shapes shapes(whole, 0);
    if (suitsWhole(whole, shapes)) return vectorize(loop, whole, shapes, analyses, function, isLast, specialization);
  }
  LaneFunction lanes(loop, evolution, analyses);
  if (!lanes.obstacle().empty()) return lanes.obstacle();
  if (!isOfSubGroups) lanes.stepTogether(analyses);
  if (!lanes.obstacle().empty()) return lanes.obstacle();
  if (isOfSubGroups) takeForSame(lanes, specialization.subGroupSize);
  const Shapes shapes(lanes, isOfSubGroups ? specialization.subGroupSize : 0);
  if (!isOfSubGroups) return vectorize(loop, lanes, shapes, analyses, function, isLast, specialization);
  if (Obstacle obstacle = obstacleToWidening(lanes, /*takesVolatile=*/true); !obstacle.empty()) return obstacle;
  Vectorizer(loop, evolution, lanes, shapes)
      .run(specialization.subGroupSize, /*hasRest=*/false, processorOf(specialization.target));
  return {};
}

/// A switch that knows all its cases goes nowhere else; a way to nowhere would be one out of the loop.
bool giveDefaults(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses) {
  bool changed = false;
  for (llvm::BasicBlock &block : kernel) {
    auto *choice = llvm::dyn_cast<llvm::SwitchInst>(block.getTerminator());
    if (!choice || choice->getNumCases() == 0 ||
        !llvm::isa<llvm::UnreachableInst>(choice->getDefaultDest()->getFirstNonPHIOrDbg()))
      continue;
    const auto last = std::prev(choice->case_end());
    choice->getDefaultDest()->removePredecessor(&block);
    choice->setDefaultDest(last->getCaseSuccessor());
    choice->removeCase(last);
    changed = true;
  }
  if (!changed) return false;
  llvm::removeUnreachableBlocks(kernel);
  analyses.invalidate(kernel, llvm::PreservedAnalyses::none());
  return true;
}

} // namespace

llvm::PreservedAnalyses VectorizeWorkItems::run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  llvm::FunctionAnalysisManager &analyses = functionAnalyses(module, manager);
  if (needsOrder(kernel) || request.specialization.vectorPlan == abi::VectorPlan::Never)
    return llvm::PreservedAnalyses::all();
  bool changed = false;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> done;
  for (bool again = true; again;) {
    again = false;
    llvm::FunctionPassManager shape;
    shape.addPass(llvm::LoopSimplifyPass());
    shape.addPass(llvm::LCSSAPass());
    analyses.invalidate(kernel, shape.run(kernel, analyses));
    changed |= giveDefaults(kernel, analyses);
    if (keepRowOrder(kernel, analyses.getResult<llvm::LoopAnalysis>(kernel))) {
      analyses.invalidate(kernel, llvm::PreservedAnalyses::none());
      changed = true;
    }
    for (llvm::Loop *loop : analyses.getResult<llvm::LoopAnalysis>(kernel).getLoopsInPreorder()) {
      if (!isOfWorkItems(*loop) || !done.insert(loop->getHeader()).second) continue;
      if (llvm::getBooleanLoopAttribute(loop, "llvm.loop.isvectorized")) continue;
      const llvm::DebugLoc place = loop->getStartLoc();
      const Obstacle obstacle = vectorize(*loop, analyses, kernel, isLast, request.specialization);
      remark(*loop->getHeader(), place, [&] {
        return obstacle.empty() ? std::string("work-items are vectorized, with masks")
                                : "work-items are not vectorized with masks: " + obstacle;
      });
      if (!obstacle.empty()) {
        if (isLast && waitsForSubGroup(*loop)) kernel.addFnAttr(kVectorObstacle, obstacle);
        continue;
      }
      if (!llvm::getBooleanLoopAttribute(loop, "llvm.loop.isvectorized")) done.erase(loop->getHeader());
      analyses.invalidate(kernel, llvm::PreservedAnalyses::none());
      again = changed = true;
      break;
    }
  }
  changed |= dropLanesFunctions(module);
  if (hasWideCalls(kernel)) {
    changed = true;
    llvm::FunctionPassManager clean;
    clean.addPass(llvm::EarlyCSEPass());
    analyses.invalidate(kernel, clean.run(kernel, analyses));
    dropRepeatedStores(kernel);
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
