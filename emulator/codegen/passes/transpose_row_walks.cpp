// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/transpose_row_walks.h"

#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/tiers/tier_rules.h"
#include "emulator/codegen/vectorize/cost.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include <array>

namespace us::codegen {
namespace {

using namespace llvm;

/// Instructions of a turn; there will be as many turns as lanes.
constexpr unsigned kMostOfLoop = 40;

/// A gather from `rows[lane] + index`.
struct Walk {
  IntrinsicInst *gather;
  Value *rows, *index;
  Type *counted; ///< what the index counts

  FixedVectorType *type() const { return cast<FixedVectorType>(gather->getType()); }
  Type *element() const { return type()->getElementType(); }
};

std::optional<Walk> walkOf(Instruction &instruction, const Loop &loop) {
  using namespace PatternMatch;
  auto *gather = dyn_cast<IntrinsicInst>(&instruction);
  if (!gather || gather->getIntrinsicID() != Intrinsic::masked_gather) return std::nullopt;
  if (!match(gather->getArgOperand(2), m_AllOnes())) return std::nullopt;
  auto *place = dyn_cast<GetElementPtrInst>(gather->getArgOperand(0));
  if (!place || place->getNumIndices() != 1) return std::nullopt;
  const Walk walk{gather, place->getPointerOperand(), place->getOperand(1), place->getSourceElementType()};
  if (!walk.rows->getType()->isVectorTy() || walk.index->getType()->isVectorTy() || !loop.isLoopInvariant(walk.rows))
    return std::nullopt;
  const unsigned bits = walk.element()->getPrimitiveSizeInBits();
  if ((bits != 32 && bits != 64) || !isPowerOf2_32(walk.type()->getNumElements())) return std::nullopt;
  return walk;
}

/// The index counts so many elements a turn.
bool countsElements(const Walk &walk, const Loop &loop, ScalarEvolution &evolution, int64_t elements) {
  auto *counting = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(walk.index));
  if (!counting || counting->getLoop() != &loop || !counting->isAffine()) return false;
  auto *step = dyn_cast<SCEVConstant>(counting->getStepRecurrence(evolution));
  if (!step) return false;
  const DataLayout &layout = walk.gather->getDataLayout();
  return step->getAPInt().getSExtValue() * int64_t(layout.getTypeAllocSize(walk.counted)) ==
         elements * int64_t(layout.getTypeAllocSize(walk.element()));
}

/// As many rows as fit a register are transposed with each other.
unsigned together(const Walk &walk, const VectorCosts &costs) {
  const unsigned fit = costs.longestBits / unsigned(walk.element()->getPrimitiveSizeInBits());
  return std::min(fit, walk.type()->getNumElements());
}

SmallVector<Walk, 4> walksIn(const Loop &loop, ScalarEvolution &evolution) {
  SmallVector<Walk, 4> walks;
  if (!loop.isInnermost() || loop.getNumBlocks() != 1 || loop.getHeader()->sizeWithoutDebug() > kMostOfLoop)
    return walks;
  for (Instruction &instruction : *loop.getHeader()) {
    if (instruction.mayHaveSideEffects()) return {};
    if (const auto walk = walkOf(instruction, loop); walk && countsElements(*walk, loop, evolution, 1))
      walks.push_back(*walk);
  }
  return walks;
}

/// Of each part of four elements those of the two rows that `from` names: 0 to 3 of the first, 4 to 7 of the second.
Value *fromQuads(IRBuilderBase &builder, Value *first, Value *second, const std::array<unsigned, 4> &from) {
  const unsigned size = cast<FixedVectorType>(first->getType())->getNumElements();
  SmallVector<int, 16> mask;
  for (unsigned quad = 0; quad < size; quad += 4)
    for (unsigned element : from) mask.push_back(int(quad + (element < 4 ? element : size + element - 4)));
  return builder.CreateShuffleVector(first, second, mask);
}

/// Blocks of four by four, by what processors have an instruction for: they interleave elements, then pairs of them.
void transposeQuads(IRBuilderBase &builder, MutableArrayRef<Value *> rows) {
  constexpr std::array<unsigned, 4> kLow = {0, 4, 1, 5}, kHigh = {2, 6, 3, 7}, kLowPairs = {0, 1, 4, 5},
                                    kHighPairs = {2, 3, 6, 7};
  for (size_t row = 0; row < rows.size(); row += 4) {
    Value *const low[] = {fromQuads(builder, rows[row], rows[row + 1], kLow),
                          fromQuads(builder, rows[row + 2], rows[row + 3], kLow)};
    Value *const high[] = {fromQuads(builder, rows[row], rows[row + 1], kHigh),
                           fromQuads(builder, rows[row + 2], rows[row + 3], kHigh)};
    rows[row] = fromQuads(builder, low[0], low[1], kLowPairs);
    rows[row + 1] = fromQuads(builder, low[0], low[1], kHighPairs);
    rows[row + 2] = fromQuads(builder, high[0], high[1], kLowPairs);
    rows[row + 3] = fromQuads(builder, high[0], high[1], kHighPairs);
  }
}

/// Square blocks of rows, whose halves change places, and then theirs.
void transpose(IRBuilderBase &builder, MutableArrayRef<Value *> rows) {
  const unsigned size = rows.size();
  const bool isOfQuads = rows.front()->getType()->getScalarSizeInBits() == 32;
  if (isOfQuads) transposeQuads(builder, rows);
  for (unsigned distance = size / 2; distance >= (isOfQuads ? 4 : 1); distance /= 2) {
    SmallVector<int, 16> first, second;
    for (unsigned i = 0; i < size; ++i) {
      first.push_back(int(i & distance ? size + i - distance : i));
      second.push_back(int(i & distance ? size + i : i + distance));
    }
    for (unsigned row = 0; row < size; ++row) {
      if (row & distance) continue;
      Value *const a = rows[row], *const b = rows[row + distance];
      rows[row] = builder.CreateShuffleVector(a, b, first);
      rows[row + distance] = builder.CreateShuffleVector(a, b, second);
    }
  }
}

/// Of gathers that are one turn after another.
void load(ArrayRef<Walk> turns, ArrayRef<Value *> rows) {
  const Walk &first = turns.front();
  IRBuilder<> builder(first.gather);
  auto *const rowType = FixedVectorType::get(first.element(), turns.size());
  const Align alignment(cast<ConstantInt>(first.gather->getArgOperand(1))->getZExtValue());
  SmallVector<Value *, 16> elements;
  for (size_t begin = 0; begin < rows.size(); begin += turns.size()) {
    for (Value *row : rows.slice(begin, turns.size()))
      elements.push_back(
          builder.CreateAlignedLoad(rowType, builder.CreateGEP(first.counted, row, first.index), alignment));
    transpose(builder, MutableArrayRef(elements).slice(begin, turns.size()));
  }
  for (size_t turn = 0; turn < turns.size(); ++turn) {
    SmallVector<Value *, 4> parts;
    for (size_t part = turn; part < elements.size(); part += turns.size()) parts.push_back(elements[part]);
    turns[turn].gather->replaceAllUsesWith(concatenateVectors(builder, parts));
  }
  for (const Walk &turn : turns) turn.gather->eraseFromParent();
}

class Transposition {
public:
  Transposition(Function &kernel, FunctionAnalysisManager &analyses, const VectorCosts &costs)
      : kernel_(kernel), analyses_(analyses), costs_(costs), loops_(analyses.getResult<LoopAnalysis>(kernel)),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(kernel)) {}

  bool run(Loop &loop) {
    const SmallVector<Walk, 4> walks = walksIn(loop, evolution_);
    if (walks.empty() || !loop.getLoopPreheader()) return false;
    const unsigned count = together(walks.front(), costs_);
    if (count < 4) return false;
    // Before the rest has them as well.
    DenseMap<Value *, SmallVector<Value *, 16>> rows;
    IRBuilder<> builder(loop.getLoopPreheader()->getTerminator());
    for (const Walk &walk : walks)
      if (auto &each = rows[walk.rows]; each.empty())
        for (unsigned lane = 0; lane < walk.type()->getNumElements(); ++lane)
          each.push_back(builder.CreateExtractElement(walk.rows, lane));
    const bool hasRest = evolution_.getSmallConstantTripMultiple(&loop, loop.getLoopLatch()) % count != 0;
    const UnrollLoopOptions options{.Count = count,
                                    .Force = false,
                                    .Runtime = hasRest,
                                    .AllowExpensiveTripCount = true,
                                    .UnrollRemainder = false,
                                    .ForgetAllSCEV = false};
    BasicBlock *const header = loop.getHeader();
    if (UnrollLoop(&loop, options, &loops_, &evolution_, &analyses_.getResult<DominatorTreeAnalysis>(kernel_),
                   &analyses_.getResult<AssumptionAnalysis>(kernel_), &analyses_.getResult<TargetIRAnalysis>(kernel_),
                   &analyses_.getResult<OptimizationRemarkEmitterAnalysis>(kernel_),
                   /*PreserveLCSSA=*/true) == LoopUnrollResult::Unmodified)
      return true; // rows were taken apart
    transposeTurns(*header, rows, count);
    return true;
  }

private:
  void transposeTurns(BasicBlock &block, DenseMap<Value *, SmallVector<Value *, 16>> &rows, unsigned count) {
    Loop *const loop = loops_.getLoopFor(&block); // null: there was one turn of all
    // Walks along the same rows, by their first place: a turn is as many elements behind.
    SmallVector<SmallVector<Walk, 16>, 4> groups;
    for (Instruction &instruction : block) {
      const auto walk = loop ? walkOf(instruction, *loop) : std::nullopt;
      if (!walk || !rows.contains(walk->rows) || together(*walk, costs_) != count) continue;
      auto *group = find_if(groups, [&](const SmallVector<Walk, 16> &turns) {
        const Walk &last = turns.back();
        if (turns.size() == count || last.rows != walk->rows || last.type() != walk->type()) return false;
        auto *apart = dyn_cast<SCEVConstant>(
            evolution_.getMinusSCEV(evolution_.getSCEV(walk->index), evolution_.getSCEV(last.index)));
        const DataLayout &layout = block.getDataLayout();
        return apart && apart->getAPInt().getSExtValue() * int64_t(layout.getTypeAllocSize(walk->counted)) ==
                            int64_t(layout.getTypeAllocSize(walk->element()));
      });
      if (group == groups.end())
        groups.push_back({*walk});
      else
        group->push_back(*walk);
    }
    for (const auto &turns : groups)
      if (turns.size() == count) load(turns, rows[turns.front().rows]);
  }

  Function &kernel_;
  FunctionAnalysisManager &analyses_;
  const VectorCosts &costs_;
  LoopInfo &loops_;
  ScalarEvolution &evolution_;
};

} // namespace

PreservedAnalyses TransposeRowWalks::run(Module &module, ModuleAnalysisManager &manager) {
  Function &kernel = *module.getFunction(request.kernel);
  FunctionAnalysisManager &analyses = functionAnalyses(module, manager);
  const VectorCosts *const costs = vectorCosts(request.specialization.target);
  if (!costs) return PreservedAnalyses::all();
  const auto hasWalks = [&](const Loop *loop) {
    return !walksIn(*loop, analyses.getResult<ScalarEvolutionAnalysis>(kernel)).empty();
  };
  if (none_of(analyses.getResult<LoopAnalysis>(kernel).getLoopsInPreorder(), hasWalks)) return PreservedAnalyses::all();
  FunctionPassManager shape;
  shape.addPass(LoopSimplifyPass());
  shape.addPass(LCSSAPass());
  analyses.invalidate(kernel, shape.run(kernel, analyses));
  Transposition transposition(kernel, analyses, *costs);
  bool changed = false;
  for (Loop *loop : analyses.getResult<LoopAnalysis>(kernel).getLoopsInPreorder()) changed |= transposition.run(*loop);
  if (changed) combineInstructions().run(kernel, analyses);
  return PreservedAnalyses::none();
}

} // namespace us::codegen
