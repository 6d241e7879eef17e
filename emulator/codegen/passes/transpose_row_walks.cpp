// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/transpose_row_walks.h"

#include "emulator/codegen/address_spaces.h"
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
constexpr int64_t kMostOfTurn = 40;

/// A gather from `rows[lane] + index`: the last index of a place, of which all else stays as it is.
struct Walk {
  IntrinsicInst *gather;
  GetElementPtrInst *place;

  Value *index() const { return *std::prev(place->op_end()); }
  ArrayRef<Use> rows() const { return ArrayRef(place->op_begin(), std::prev(place->op_end())); }
  bool hasRowsOf(const Walk &other) const {
    return place->getSourceElementType() == other.place->getSourceElementType() && equal(rows(), other.rows());
  }
  Type *counted() const { return place->getResultElementType(); } ///< what the index counts
  FixedVectorType *type() const { return cast<FixedVectorType>(gather->getType()); }
  Type *element() const { return type()->getElementType(); }
};

std::optional<Walk> walkOf(Instruction &instruction, const Loop &loop) {
  using namespace PatternMatch;
  auto *gather = dyn_cast<IntrinsicInst>(&instruction);
  if (!gather || gather->getIntrinsicID() != Intrinsic::masked_gather) return std::nullopt;
  if (!match(gather->getArgOperand(2), m_AllOnes())) return std::nullopt;
  auto *place = dyn_cast<GetElementPtrInst>(gather->getArgOperand(0));
  if (!place || place->getNumIndices() == 0) return std::nullopt;
  const Walk walk{gather, place};
  if (walk.index()->getType()->isVectorTy() ||
      none_of(walk.rows(), [](const Use &one) { return one->getType()->isVectorTy(); }) ||
      !all_of(walk.rows(), [&](const Use &one) { return loop.isLoopInvariant(one); }))
    return std::nullopt;
  const unsigned bits = walk.element()->getPrimitiveSizeInBits();
  if ((bits != 32 && bits != 64) || !isPowerOf2_32(walk.type()->getNumElements())) return std::nullopt;
  return walk;
}

/// How many elements further the index is a turn later; 0: it cannot be said.
int64_t elementsATurn(const Walk &walk, const Loop &loop, ScalarEvolution &evolution) {
  auto *counting = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(walk.index()));
  if (!counting || counting->getLoop() != &loop || !counting->isAffine()) return 0;
  auto *step = dyn_cast<SCEVConstant>(counting->getStepRecurrence(evolution));
  if (!step || step->getAPInt().getSignificantBits() > 32) return 0;
  const DataLayout &layout = walk.gather->getDataLayout();
  const int64_t bytes = step->getAPInt().getSExtValue() * int64_t(layout.getTypeAllocSize(walk.counted()));
  const auto element = int64_t(layout.getTypeAllocSize(walk.element()));
  return bytes % element == 0 ? bytes / element : 0;
}

/// As many rows as fit a register are transposed with each other.
unsigned together(const IntrinsicInst &gather, const VectorCosts &costs) {
  const unsigned fit = costs.longestBits / gather.getType()->getScalarSizeInBits();
  return std::min(fit, cast<FixedVectorType>(gather.getType())->getNumElements());
}

/// What a store of another kind of memory does not change: local memory, and buffers.
bool isNeverWritten(const Walk &walk, const Instruction &instruction) {
  const auto *const store = dyn_cast<StoreInst>(&instruction);
  if (!store || !store->isSimple()) return false;
  const unsigned read = walk.place->getAddressSpace(), written = store->getPointerAddressSpace();
  const auto isOne = [](unsigned space) { return space == kGlobalSpace || space == kLocalSpace; };
  return read != written && isOne(read) && isOne(written);
}

/// An element of a row in each turn, or several, one behind the other: turns of a loop that was unrolled.
struct Walks {
  SmallVector<Walk, 4> all;
  int64_t turns = 0; ///< that are one
};

Walks walksIn(const Loop &loop, ScalarEvolution &evolution) {
  Walks walks;
  if (!loop.isInnermost() || loop.getNumBlocks() != 1) return walks;
  for (Instruction &instruction : *loop.getHeader())
    if (const auto walk = walkOf(instruction, loop)) walks.all.push_back(*walk);
  for (Instruction &instruction : *loop.getHeader())
    if (instruction.mayHaveSideEffects() &&
        !all_of(walks.all, [&](const Walk &walk) { return isNeverWritten(walk, instruction); }))
      return {};
  SmallVector<Walk, 4> found;
  for (const Walk &walk : walks.all) {
    const int64_t turns = elementsATurn(walk, loop, evolution);
    const auto ofRows = count_if(walks.all, [&](const Walk &other) { return walk.hasRowsOf(other); });
    if (turns != 1 && turns != ofRows) continue;
    if (found.empty()) walks.turns = turns;
    if (turns == walks.turns) found.push_back(walk);
  }
  if (loop.getHeader()->sizeWithoutDebug() > kMostOfTurn * walks.turns) return {};
  walks.all = found;
  return walks;
}

/// Makes a value of the rows, before the loop: the place becomes that and an index.
void nameRows(const Loop &loop, ArrayRef<Walk> walks) {
  SmallVector<std::pair<Walk, Value *>, 4> known;
  for (const Walk &walk : walks) {
    if (walk.place->getNumIndices() == 1) continue;
    auto *found = find_if(known, [&](const auto &one) { return one.first.hasRowsOf(walk); });
    if (found == known.end()) {
      IRBuilder<> before(loop.getLoopPreheader()->getTerminator());
      SmallVector<Value *, 4> indices(walk.place->idx_begin(), walk.place->idx_end());
      indices.back() = Constant::getNullValue(walk.index()->getType());
      Value *const rows =
          before.CreateGEP(walk.place->getSourceElementType(), walk.place->getPointerOperand(), indices, "rows");
      known.push_back({walk, rows});
      found = &known.back();
    }
    IRBuilder<> here(walk.gather);
    walk.gather->setArgOperand(0, here.CreateGEP(walk.counted(), found->second, walk.index()));
  }
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

/// What one turn of an unrolled loop gathers, `index` elements of `counted` from the beginnings of rows.
struct Turn {
  IntrinsicInst *gather;
  Value *rows, *index;
  Type *counted;
};

/// Of gathers that are one turn after another.
void load(ArrayRef<Turn> turns, ArrayRef<Value *> rows) {
  const Turn &first = turns.front();
  IRBuilder<> builder(first.gather);
  auto *const rowType = FixedVectorType::get(first.gather->getType()->getScalarType(), turns.size());
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
  for (const Turn &turn : turns) turn.gather->eraseFromParent();
}

class Transposition {
public:
  Transposition(Function &kernel, FunctionAnalysisManager &analyses, const VectorCosts &costs)
      : kernel_(kernel), analyses_(analyses), costs_(costs), loops_(analyses.getResult<LoopAnalysis>(kernel)),
        evolution_(analyses.getResult<ScalarEvolutionAnalysis>(kernel)) {}

  bool run(Loop &loop) {
    Walks walks = walksIn(loop, evolution_);
    if (walks.all.empty() || !loop.getLoopPreheader()) return false;
    const unsigned count = together(*walks.all.front().gather, costs_);
    if (count < 4 || count % walks.turns != 0) return false;
    nameRows(loop, walks.all);
    walks = walksIn(loop, evolution_);
    // Before the rest has them as well.
    Rows rows;
    IRBuilder<> builder(loop.getLoopPreheader()->getTerminator());
    for (const Walk &walk : walks.all)
      if (auto &each = rows[walk.place->getPointerOperand()]; each.empty())
        for (unsigned lane = 0; lane < walk.type()->getNumElements(); ++lane)
          each.push_back(builder.CreateExtractElement(walk.place->getPointerOperand(), lane));
    const bool hasRest =
        evolution_.getSmallConstantTripMultiple(&loop, loop.getLoopLatch()) % (count / walks.turns) != 0;
    const UnrollLoopOptions options{.Count = count / unsigned(walks.turns),
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
  using Rows = DenseMap<Value *, SmallVector<Value *, 16>>;

  std::optional<Turn> turnOf(Instruction &instruction, const Rows &rows) {
    using namespace PatternMatch;
    auto *gather = dyn_cast<IntrinsicInst>(&instruction);
    if (!gather || gather->getIntrinsicID() != Intrinsic::masked_gather ||
        !match(gather->getArgOperand(2), m_AllOnes()))
      return std::nullopt;
    Value *const places = gather->getArgOperand(0);
    Type *const number = Type::getInt64Ty(gather->getContext());
    if (rows.contains(places)) return Turn{gather, places, ConstantInt::get(number, 0), gather->getType()};
    auto *place = dyn_cast<GetElementPtrInst>(places);
    if (!place || place->getNumIndices() != 1 || !rows.contains(place->getPointerOperand()) ||
        place->getOperand(1)->getType() != number)
      return std::nullopt;
    return Turn{gather, place->getPointerOperand(), place->getOperand(1), place->getSourceElementType()};
  }

  const SCEV *bytes(const Turn &turn) {
    const uint64_t size = kernel_.getDataLayout().getTypeAllocSize(turn.counted);
    return evolution_.getMulExpr(evolution_.getSCEV(turn.index), evolution_.getConstant(turn.index->getType(), size));
  }

  void transposeTurns(BasicBlock &block, const Rows &rows, unsigned count) {
    // Walks along the same rows, by their first place: a turn is as many elements behind.
    SmallVector<SmallVector<Turn, 16>, 4> groups;
    for (Instruction &instruction : block) {
      const auto turn = turnOf(instruction, rows);
      if (!turn || together(*turn->gather, costs_) != count) continue;
      auto *group = find_if(groups, [&](const SmallVector<Turn, 16> &turns) {
        const Turn &last = turns.back();
        if (turns.size() == count || last.rows != turn->rows || last.gather->getType() != turn->gather->getType())
          return false;
        auto *apart = dyn_cast<SCEVConstant>(evolution_.getMinusSCEV(bytes(*turn), bytes(last)));
        return apart && apart->getAPInt() ==
                            uint64_t(block.getDataLayout().getTypeAllocSize(turn->gather->getType()->getScalarType()));
      });
      if (group == groups.end())
        groups.push_back({*turn});
      else
        group->push_back(*turn);
    }
    for (const auto &turns : groups)
      if (turns.size() == count) load(turns, rows.find(turns.front().rows)->second);
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
    return !walksIn(*loop, analyses.getResult<ScalarEvolutionAnalysis>(kernel)).all.empty();
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
