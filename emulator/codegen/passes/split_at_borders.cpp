// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/split_at_borders.h"

#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/group_loop.h"
#include "emulator/codegen/instrument/check_races.h"
#include "emulator/codegen/remarks.h"
#include "emulator/codegen/vectorize/cost.h"
#include "emulator/codegen/vectorize/lane_function.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <cmath>
#include <memory>

namespace us::codegen {
namespace {

using namespace llvm::PatternMatch;
using Builder = llvm::IRBuilder<>;

/// From a border to where the loop between them begins or ends.
constexpr int64_t kStep = 16;
/// Work-items between the borders, and in all, that are worth it; and for tests.
struct Fewest {
  int64_t inside;
  unsigned all;
};
constexpr Fewest kFewest{64, 128}, kFewestInTests{16, 32};
/// Instructions of a loop that are not worth a copy.
constexpr unsigned kLongest = 1000;
/// Fewer are about as many as those that a mask takes.
constexpr unsigned kWorthAMask = 48;
/// Turns of a loop in a work-item that have places of their own.
constexpr unsigned kMostTurns = 64;
/// Instructions of all its turns.
constexpr size_t kLongestUnrolled = 400;
/// Constants from here on are bounds.
constexpr int64_t kSmallLimit = 64;
/// Numbers of 64 bits are compared up to here, so that their differences do not wrap.
constexpr int64_t kFar = int64_t(1) << 61;

/// What comes out in one way for the work-items between the borders, and as what: a value, or that and a number more.
struct Known {
  llvm::Instruction *instruction;
  llvm::Value *value;
  llvm::Value *more = nullptr;
  int neighbor = -1; ///< the operand of the value, a sum, that only says which neighbor it is
};

/// A number that grows by one from each work-item to the next, and by `most` more at most in loops of each of them.
struct Counter {
  const llvm::SCEVAddRecExpr *number = nullptr;
  int64_t most = 0;
};

/// An element of a vector, or a scalar.
struct Element {
  llvm::Value *value;
  unsigned index;
};

/// A place in floating-point numbers, "x + i + 0.5": a counter, and what is the same for all work-items of a row.
struct Sum {
  llvm::CastInst *number = nullptr; ///< to a floating-point number
  llvm::SmallVector<llvm::Value *, 4> more;
  llvm::SmallVector<bool, 4> isLess; ///< subtracted
};
/// A sum with these fractions and up to this size is exact, and so is each sum on the way to it, as an image is no
/// longer than `kLongestRow`.
constexpr float kFractions = 256, kFarthest = 8192;
constexpr unsigned kMostTerms = 4;
constexpr int64_t kLongestRow = 32768;

class Splitter {
public:
  Splitter(llvm::Loop &loop, llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses, const Fewest &fewest,
           bool masksAreFree)
      : loop_(loop), kernel_(kernel), fewest_(fewest), masksAreFree_(masksAreFree),
        loops_(analyses.getResult<llvm::LoopAnalysis>(kernel)),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(kernel)),
        number_(llvm::Type::getInt64Ty(kernel.getContext())) {}

  /// Whether loops between the borders are to be unrolled.
  bool unrolls() const { return !unrolled_.empty(); }

  bool run() {
    if (!isCounted()) return false;
    findKnown();
    if (known_.empty() || isMuchForAMask()) {
      for (const auto &[sum, parts] : rowParts_)
        for (llvm::Value *made : {parts->whole, parts->fraction, parts->isExact})
          llvm::RecursivelyDeleteTriviallyDeadInstructions(made);
      return false;
    }
    split();
    return true;
  }

private:
  /// Masks of the whole loop cost less.
  bool isMuchForAMask() {
    return masksAreFree_ && size_ >= kWorthAMask &&
           llvm::all_of(known_, [&](const Known &one) { return onlyEndsItem(*one.instruction); });
  }

  const llvm::SCEV *constant(int64_t value) { return evolution_.getConstant(number_, uint64_t(value), true); }

  /// Nothing is carried but counters, nothing is used behind, and it is left at its end only.
  bool isCounted() {
    llvm::BasicBlock *latch = loop_.getLoopLatch();
    if (!loop_.isLoopSimplifyForm() || loop_.getExitingBlock() != latch || !loop_.getUniqueExitBlock()) return false;
    if (!llvm::isa<llvm::BranchInst>(latch->getTerminator()) || !loop_.getUniqueExitBlock()->phis().empty())
      return false;
    if (llvm::isa<llvm::SCEVCouldNotCompute>(evolution_.getBackedgeTakenCount(&loop_))) return false;
    const unsigned items = evolution_.getSmallConstantTripCount(&loop_);
    if (items && items < fewest_.all) return false;
    for (llvm::BasicBlock *block : loop_.blocks()) size_ += unsigned(block->size());
    if (size_ > kLongest) return false;
    for (llvm::PHINode &phi : loop_.getHeader()->phis())
      if (!phi.getType()->isIntegerTy() || !asCounter(evolution_.getSCEV(&phi))) return false;
    for (llvm::BasicBlock *block : loop_.blocks())
      for (llvm::Instruction &instruction : *block) {
        if (llvm::isa<llvm::AllocaInst>(instruction)) return false;
        for (llvm::User *user : instruction.users())
          if (!loop_.contains(llvm::cast<llvm::Instruction>(user))) return false;
      }
    return true;
  }

  /// A number that grows by one from each work-item to the next; null: it is none.
  const llvm::SCEVAddRecExpr *asCounter(const llvm::SCEV *what) {
    auto *counter = llvm::dyn_cast<llvm::SCEVAddRecExpr>(what);
    const bool is = counter && counter->getLoop() == &loop_ && counter->isAffine() &&
                    counter->getStepRecurrence(evolution_)->isOne();
    return is ? counter : nullptr;
  }

  Counter counterOf(const llvm::SCEV *what) {
    int64_t most = 0;
    auto *inner = llvm::dyn_cast<llvm::SCEVAddRecExpr>(what);
    for (; inner && inner->getLoop() != &loop_; inner = llvm::dyn_cast<llvm::SCEVAddRecExpr>(what)) {
      auto *step = llvm::dyn_cast<llvm::SCEVConstant>(inner->getStepRecurrence(evolution_));
      const unsigned turns = evolution_.getSmallConstantMaxTripCount(inner->getLoop());
      if (!loop_.contains(inner->getLoop()) || !inner->isAffine() || !step || turns == 0 || turns > kMostTurns)
        return {};
      if (step->getAPInt().isNegative() || step->getAPInt().ugt(kSmallLimit)) return {};
      most += step->getAPInt().getSExtValue() * int64_t(turns - 1);
      what = inner->getStart();
    }
    return {asCounter(what), most};
  }

  /// What a value is for the work-items between the borders.
  const llvm::SCEV *between(llvm::Value *value) {
    if (const llvm::SCEV *found = replaced_.lookup(value)) return found;
    auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
    const llvm::SCEV *left = operation ? replaced_.lookup(operation->getOperand(0)) : nullptr;
    if (left && operation->getOpcode() == llvm::Instruction::Add)
      return replaced_[value] = evolution_.getAddExpr(left, evolution_.getSCEV(operation->getOperand(1)));
    return evolution_.getSCEV(value);
  }

  /// The first work-items' number, and bounds, in 64 bits.
  const llvm::SCEV *extended(const llvm::SCEV *what, bool isSigned) {
    if (evolution_.getTypeSizeInBits(what->getType()) < 64)
      return isSigned ? evolution_.getSignExtendExpr(what, number_) : evolution_.getZeroExtendExpr(what, number_);
    const llvm::SCEV *far = constant(kFar);
    if (!isSigned) return evolution_.getUMinExpr(what, far);
    return evolution_.getSMaxExpr(evolution_.getSMinExpr(what, far), constant(-kFar));
  }

  /// All numbers of `counter` from its first on, up to so far, as they are without an end.
  bool isNear(const llvm::SCEVAddRecExpr *counter, bool isSigned) {
    if (evolution_.getTypeSizeInBits(counter->getType()) <= 32) return true;
    const llvm::ConstantRange range = evolution_.getSignedRange(counter->getStart());
    return range.getSignedMax().sle(kFar) && range.getSignedMin().sge(isSigned ? -kFar : 0);
  }

  /// Between the borders `counter` is at least, or at most, `bound` + `more`, and does not wrap. False: it cannot be
  /// said before the loop.
  bool limit(const Counter &of, bool isSigned, bool isUpper, const llvm::SCEV *bound, int64_t more) {
    const llvm::SCEVAddRecExpr *counter = of.number;
    const auto divides = [](const llvm::SCEV *what) { return llvm::isa<llvm::SCEVUDivExpr>(what); };
    if (!isNear(counter, isSigned) || !evolution_.isLoopInvariant(bound, &loop_)) return false;
    if (llvm::SCEVExprContains(bound, divides)) return false;
    const llvm::SCEV *start = extended(counter->getStart(), isSigned);
    const llvm::SCEV *distance =
        evolution_.getMinusSCEV(evolution_.getAddExpr(extended(bound, isSigned), constant(more)), start);
    if (isUpper) {
      below_.insert(evolution_.getAddExpr(distance, constant(1 - of.most)));
      return true;
    }
    from_.insert(distance);
    staysBelow(counter, isSigned, of.most);
    return true;
  }

  /// `counter` + `more` is a number of its type.
  void staysBelow(const llvm::SCEVAddRecExpr *counter, bool isSigned, int64_t more) {
    const unsigned bits = unsigned(evolution_.getTypeSizeInBits(counter->getType()));
    if (bits > 32) return;
    const int64_t most = (int64_t(1) << (bits - isSigned)) - 1;
    const llvm::SCEV *start = extended(counter->getStart(), isSigned);
    below_.insert(evolution_.getMinusSCEV(constant(most + 1 - more), start));
  }

  void findKnown() {
    llvm::SmallVector<llvm::Instruction *, 8> fractions, places;
    for (llvm::BasicBlock *block : loop_.blocks())
      for (llvm::Instruction &instruction : *block)
        if (llvm::isa<llvm::FPToSIInst>(instruction) && decides(instruction))
          places.push_back(&instruction);
        else if (fractionOf(instruction))
          fractions.push_back(&instruction);
    // Without fractions there is too little to know for a copy.
    if (!fractions.empty())
      for (llvm::Instruction *place : places) findPlace(*place);
    if (!coordinates_.empty())
      for (llvm::Instruction *fraction : fractions) findFraction(*fraction);
    for (llvm::BasicBlock *block : loop_.blocks()) // a loop's blocks are in no order that matters here
      for (llvm::Instruction &instruction : *block)
        if (auto *clamp = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction); clamp && decides(*clamp))
          findClamp(*clamp);
    for (llvm::BasicBlock *block : loop_.blocks())
      for (llvm::Instruction &instruction : *block)
        if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction); compare && decides(*compare))
          findTest(*compare);
  }

  static Element elementOf(llvm::Value *value, unsigned index) {
    while (value->getType()->isVectorTy()) {
      if (auto *constant = llvm::dyn_cast<llvm::Constant>(value)) {
        llvm::Constant *element = constant->getAggregateElement(index);
        return element ? Element{element, 0} : Element{value, index};
      }
      if (auto *insert = llvm::dyn_cast<llvm::InsertElementInst>(value)) {
        auto *place = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
        if (!place) return {value, index};
        value = insert->getOperand(place->equalsInt(index) ? 1 : 0);
        continue;
      }
      auto *shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(value);
      const int from = shuffle ? shuffle->getMaskValue(index) : -1;
      if (from < 0) return {value, index};
      const auto length = llvm::cast<llvm::FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements();
      value = shuffle->getOperand(unsigned(from) >= length);
      index = unsigned(from) % length;
    }
    if (auto *extract = llvm::dyn_cast<llvm::ExtractElementInst>(value))
      if (auto *place = llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand());
          place && place->getValue().ult(16))
        if (const Element from = elementOf(extract->getVectorOperand(), unsigned(place->getZExtValue()));
            from.value != extract->getVectorOperand() || !from.value->getType()->isVectorTy())
          return from;
    return {value, index};
  }

  /// False: it is another sum than one of a counter and of what is the same in the whole row.
  bool addTerms(llvm::Value *value, unsigned index, bool isLess, Sum &sum) {
    const Element element = elementOf(value, index);
    if (loop_.isLoopInvariant(element.value)) {
      llvm::Value *term = element.value;
      if (term->getType()->isVectorTy())
        term = Builder(loop_.getLoopPreheader()->getTerminator()).CreateExtractElement(term, element.index);
      if (auto *constant = llvm::dyn_cast<llvm::ConstantFP>(term); constant && !isExact(*constant)) return false;
      sum.more.push_back(term);
      sum.isLess.push_back(isLess);
      return sum.more.size() <= kMostTerms;
    }
    auto *instruction = llvm::cast<llvm::Instruction>(element.value);
    if (auto *extract = llvm::dyn_cast<llvm::ExtractElementInst>(instruction)) {
      auto *place = llvm::dyn_cast<llvm::ConstantInt>(extract->getIndexOperand());
      auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(extract->getVectorOperand());
      return place && operation && addOperands(*operation, unsigned(place->getZExtValue()), isLess, sum);
    }
    if (auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(instruction))
      return addOperands(*operation, element.index, isLess, sum);
    if (!llvm::isa<llvm::SIToFPInst, llvm::UIToFPInst>(instruction) || instruction->getType()->isVectorTy())
      return false;
    if (sum.number || isLess) return false;
    sum.number = llvm::cast<llvm::CastInst>(instruction);
    return true;
  }

  bool addOperands(llvm::BinaryOperator &operation, unsigned index, bool isLess, Sum &sum) {
    const bool isDifference = operation.getOpcode() == llvm::Instruction::FSub;
    if (!isDifference && operation.getOpcode() != llvm::Instruction::FAdd) return false;
    return addTerms(operation.getOperand(0), index, isLess, sum) &&
           addTerms(operation.getOperand(1), index, isLess != isDifference, sum);
  }

  static bool isExact(const llvm::ConstantFP &constant) {
    if (!constant.getType()->isFloatTy()) return false;
    const float number = constant.getValueAPF().convertToFloat();
    return std::abs(number) <= kFarthest && number * kFractions == std::floor(number * kFractions);
  }

  /// The whole part and the fraction of what is the same in the row, and whether the sums with it are exact.
  struct RowParts {
    llvm::Value *whole, *fraction, *isExact;
  };
  struct Parts {
    const llvm::SCEV *counted = nullptr; ///< null: it is no such sum
    Counter counter;
    llvm::Value *number = nullptr;
    RowParts *row = nullptr;
  };

  RowParts &partsOf(const Sum &sum) {
    for (const auto &[known, parts] : rowParts_)
      if (known.more == sum.more && known.isLess == sum.isLess) return *parts;
    Builder builder(loop_.getLoopPreheader()->getTerminator());
    llvm::Value *more = llvm::ConstantFP::get(builder.getFloatTy(), 0), *isExact = builder.getTrue();
    for (auto [one, isLess] : llvm::zip(sum.more, sum.isLess)) {
      more = isLess ? builder.CreateFSub(more, one) : builder.CreateFAdd(more, one);
      if (llvm::isa<llvm::Constant>(one)) continue;
      llvm::Value *term = builder.CreateFreeze(one);
      llvm::Value *scaled = builder.CreateFMul(term, llvm::ConstantFP::get(builder.getFloatTy(), kFractions));
      llvm::Value *isWhole =
          builder.CreateFCmpOEQ(scaled, builder.CreateUnaryIntrinsic(llvm::Intrinsic::floor, scaled));
      llvm::Value *isSmall = builder.CreateFCmpOLE(builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, term),
                                                   llvm::ConstantFP::get(builder.getFloatTy(), kFarthest));
      isExact = builder.CreateAnd(isExact, builder.CreateAnd(isWhole, isSmall));
    }
    more = builder.CreateSelect(isExact, more, llvm::ConstantFP::get(builder.getFloatTy(), 0));
    llvm::Value *floor = builder.CreateUnaryIntrinsic(llvm::Intrinsic::floor, more);
    auto parts = std::make_unique<RowParts>();
    parts->whole = builder.CreateFPToSI(floor, builder.getInt32Ty(), "border.whole");
    parts->fraction = builder.CreateFSub(more, floor, "border.fraction");
    parts->isExact = isExact;
    return *rowParts_.emplace_back(sum, std::move(parts)).second;
  }

  /// Null: it is none.
  Parts *coordinate(llvm::Value &value) {
    auto [place, isNew] = coordinates_.try_emplace(&value);
    Parts &parts = place->second;
    if (!isNew) return parts.counted ? &parts : nullptr;
    Sum sum;
    if (!value.getType()->isFloatTy() || loop_.isLoopInvariant(&value) || !addTerms(&value, 0, false, sum) ||
        !sum.number)
      return nullptr;
    llvm::Value *number = sum.number->getOperand(0);
    const llvm::SCEV *counted = evolution_.getSCEV(number);
    const Counter counter = counterOf(counted);
    if (!counter.number || !number->getType()->isIntegerTy() || !isNear(counter.number, true)) return nullptr;
    parts.number = number;
    parts.row = &partsOf(sum);
    parts.counter = counter;
    parts.counted = counted;
    if (llvm::isa<llvm::UIToFPInst>(sum.number) && !sum.number->hasNonNeg()) limitCoordinate(parts, false, constant(0));
    return &parts;
  }

  /// Between the borders the counter and the whole part of what is more are at least, or at most, `bound`.
  void limitCoordinate(const Parts &parts, bool isUpper, const llvm::SCEV *bound) {
    const llvm::SCEV *whole = evolution_.getSignExtendExpr(evolution_.getSCEV(parts.row->whole), number_);
    const llvm::SCEV *start = extended(parts.counter.number->getStart(), /*isSigned=*/true);
    const llvm::SCEV *distance = evolution_.getMinusSCEV(evolution_.getMinusSCEV(bound, whole), start);
    if (isUpper) {
      below_.insert(evolution_.getAddExpr(distance, constant(1 - parts.counter.most)));
    } else {
      from_.insert(distance);
      staysBelow(parts.counter.number, /*isSigned=*/true, parts.counter.most);
    }
  }

  /// A limit of a coordinate: a constant, or the length of a row and a constant more.
  const llvm::SCEV *limitOf(llvm::Value *limit, llvm::Value *&isShort) {
    const auto whole = [&](const llvm::Value *value) -> const llvm::SCEV * {
      auto *number = llvm::dyn_cast<llvm::ConstantFP>(value);
      if (!number || !isExact(*number)) return nullptr;
      const float limit = number->getValueAPF().convertToFloat();
      return limit == std::floor(limit) ? constant(int64_t(limit)) : nullptr;
    };
    if (const llvm::SCEV *found = whole(limit)) return found;
    llvm::Value *rest = nullptr, *length = nullptr;
    const llvm::SCEV *more = constant(0);
    if (match(limit, m_FAdd(m_Value(rest), m_Value(length)))) {
      more = whole(length);
      if (!more) return nullptr;
      limit = rest;
    }
    if (!match(limit, m_CombineOr(m_SIToFP(m_Value(length)), m_UIToFP(m_Value(length)))) ||
        !length->getType()->isIntegerTy(32) || !loop_.isLoopInvariant(length))
      return nullptr;
    llvm::Value *&known = areShort_[length];
    Builder builder(loop_.getLoopPreheader()->getTerminator());
    if (!known) known = builder.CreateICmpULE(builder.CreateFreeze(length), builder.getInt32(uint32_t(kLongestRow)));
    isShort = known;
    return evolution_.getAddExpr(evolution_.getSignExtendExpr(evolution_.getSCEV(length), number_), more);
  }

  /// "x < a ? x : a", "x > b ? x : b": takes a limit off. Null: it is none.
  llvm::Value *limited(llvm::Value *value, llvm::Value *&limit, bool &isUpper) {
    auto *select = llvm::dyn_cast<llvm::SelectInst>(value);
    auto *compare = select ? llvm::dyn_cast<llvm::FCmpInst>(select->getCondition()) : nullptr;
    if (!compare) return nullptr;
    llvm::Value *left = compare->getOperand(0), *right = compare->getOperand(1);
    const bool isLeft = select->getTrueValue() == left && select->getFalseValue() == right;
    if (!isLeft && !(select->getTrueValue() == right && select->getFalseValue() == left)) return nullptr;
    const auto predicate = llvm::FCmpInst::getOrderedPredicate(compare->getPredicate());
    const bool isLess = predicate == llvm::CmpInst::FCMP_OLT || predicate == llvm::CmpInst::FCMP_OLE;
    if (!isLess && predicate != llvm::CmpInst::FCMP_OGT && predicate != llvm::CmpInst::FCMP_OGE) return nullptr;
    isUpper = isLess == isLeft;
    const bool isRight = loop_.isLoopInvariant(right);
    limit = isRight ? right : left;
    return isRight ? left : right;
  }

  /// Takes limits off a coordinate, which between the borders leave it as it is, and its whole part if `isWhole`.
  Parts *coordinateWithin(llvm::Value *value, bool isWhole) {
    struct Limit {
      const llvm::SCEV *bound;
      llvm::Value *isShort;
      bool isUpper;
    };
    llvm::SmallVector<Limit, 2> limits;
    llvm::Value *limit = nullptr;
    bool isUpper = false;
    while (llvm::Value *of = limited(value, limit, isUpper)) {
      llvm::Value *isShort = nullptr;
      const llvm::SCEV *bound = loop_.isLoopInvariant(limit) ? limitOf(limit, isShort) : nullptr;
      if (!bound) return nullptr;
      limits.push_back({bound, isShort, isUpper});
      value = of;
    }
    // Without limits nobody knows that the sum is exact.
    if (limits.size() != 2 || limits[0].isUpper == limits[1].isUpper) return nullptr;
    Parts *parts = coordinate(*value);
    if (!parts) return nullptr;
    for (const Limit &one : limits) {
      const bool isBelow = one.isUpper && !isWhole; // with its fraction
      limitCoordinate(*parts, one.isUpper, isBelow ? evolution_.getAddExpr(one.bound, constant(-1)) : one.bound);
      if (one.isShort) areExact_.insert(one.isShort);
    }
    areExact_.insert(parts->row->isExact);
    return parts;
  }

  /// A small constant, or such that loops of a work-item count.
  bool isNeighbor(llvm::Value &value) {
    const llvm::SCEV *distance = evolution_.getSCEV(&value);
    while (auto *inner = llvm::dyn_cast<llvm::SCEVAddRecExpr>(distance)) {
      auto *step = llvm::dyn_cast<llvm::SCEVConstant>(inner->getStepRecurrence(evolution_));
      if (inner->getLoop() == &loop_ || !loop_.contains(inner->getLoop()) || !step) return false;
      if (step->getAPInt().isNegative() || step->getAPInt().ugt(kSmallLimit)) return false;
      distance = inner->getStart();
    }
    auto *constant = llvm::dyn_cast<llvm::SCEVConstant>(distance);
    return constant && constant->getAPInt().abs().ule(unsigned(kFarthest));
  }

  /// The place of a pixel: the whole part of a coordinate.
  void findPlace(llvm::Instruction &conversion) {
    llvm::Value *value = conversion.getOperand(0), *rounded = nullptr;
    if (!conversion.getType()->isIntegerTy(32)) return;
    const bool isFloor = match(value, m_Intrinsic<llvm::Intrinsic::floor>(m_Value(rounded)));
    Parts *parts = coordinateWithin(isFloor ? rounded : value, /*isWhole=*/true);
    if (!parts) return;
    if (!isFloor) limitCoordinate(*parts, /*isUpper=*/false, constant(0));
    Known known{&conversion, parts->number, parts->row->whole};
    if (auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(parts->number);
        sum && sum->getOpcode() == llvm::Instruction::Add)
      for (int side = 0; side < 2; ++side)
        if (isNeighbor(*sum->getOperand(unsigned(side)))) known.neighbor = side;
    known_.push_back(known);
    if (llvm::Loop *inner = loops_.getLoopFor(conversion.getParent()); parts->counter.most && inner != &loop_)
      if (isForUnrolling(*inner)) unrolled_.insert(inner);
    const llvm::SCEV *number = evolution_.getTruncateOrSignExtend(parts->counted, conversion.getType());
    replaced_[&conversion] = evolution_.getAddExpr(number, evolution_.getSCEV(parts->row->whole));
  }

  /// Few turns of little, which have pixels in common.
  bool isForUnrolling(const llvm::Loop &loop) {
    const unsigned turns = evolution_.getSmallConstantTripCount(&loop);
    if (turns == 0 || !loop.isInnermost() || !loop.getLoopLatch()) return false;
    size_t size = 0;
    for (llvm::BasicBlock *block : loop.blocks()) size += block->size();
    return turns * size <= kLongestUnrolled;
  }

  /// "x - floor(x)".
  static llvm::Value *fractionOf(llvm::Instruction &difference) {
    llvm::Value *value = nullptr;
    const auto isIt = m_FSub(m_Value(value), m_Intrinsic<llvm::Intrinsic::floor>(m_Deferred(value)));
    return difference.getType()->isFloatTy() && match(&difference, isIt) ? value : nullptr;
  }

  /// It is the same in the whole row.
  void findFraction(llvm::Instruction &difference) {
    if (Parts *parts = coordinateWithin(fractionOf(difference), /*isWhole=*/false))
      known_.push_back({&difference, parts->row->fraction});
  }

  bool isNumber(const llvm::Type &type) { return type.isIntegerTy() && type.getIntegerBitWidth() <= 64; }

  void findClamp(llvm::MinMaxIntrinsic &clamp) {
    if (!isNumber(*clamp.getType())) return;
    for (unsigned side = 0; side < 2; ++side) {
      llvm::Value *value = clamp.getArgOperand(side);
      const Counter counter = counterOf(between(value));
      if (!counter.number) continue;
      const bool isUpper = match(&clamp, m_SMin(m_Value(), m_Value())) || match(&clamp, m_UMin(m_Value(), m_Value()));
      if (!limit(counter, clamp.isSigned(), isUpper, evolution_.getSCEV(clamp.getArgOperand(1 - side)), 0)) continue;
      known_.push_back({&clamp, value});
      replaced_[&clamp] = between(value);
      return;
    }
  }

  /// A constant, or something less one: what else a number is compared with for equality may be anywhere.
  bool isEdge(const llvm::SCEV &bound) {
    auto *sum = llvm::dyn_cast<llvm::SCEVAddExpr>(&bound);
    auto *first = llvm::dyn_cast<llvm::SCEVConstant>(sum ? sum->getOperand(0) : &bound);
    return first && (!sum || first->getAPInt().isNegative());
  }

  void findTest(llvm::ICmpInst &compare) {
    llvm::Value *left = compare.getOperand(0), *right = compare.getOperand(1);
    auto *end = llvm::cast<llvm::BranchInst>(loop_.getLoopLatch()->getTerminator());
    if (!isNumber(*left->getType()) || &compare == end->getCondition()) return;
    auto predicate = compare.getPredicate();
    const llvm::SCEVAddRecExpr *counter = asCounter(between(left));
    if (!counter) {
      std::swap(left, right);
      predicate = llvm::CmpInst::getSwappedPredicate(predicate);
      counter = asCounter(between(left));
    }
    if (!counter) return;
    const llvm::SCEV *bound = evolution_.getSCEV(right);
    auto *fixed = llvm::dyn_cast<llvm::SCEVConstant>(bound);
    const bool isUpper = !fixed || fixed->getAPInt().abs().uge(kSmallLimit);
    if (compare.isEquality()) {
      // An edge itself, "x == w - 1", or "x < 1" as LLVM writes it: between the borders all numbers are beyond it.
      if (isEdge(*bound) && limit({counter}, /*isSigned=*/true, isUpper, bound, isUpper ? -1 : 1))
        known_.push_back(
            {&compare, llvm::ConstantInt::getBool(compare.getType(), predicate == llvm::CmpInst::ICMP_NE)});
      return;
    }
    const bool isAbove = llvm::ICmpInst::isGT(predicate) || llvm::ICmpInst::isGE(predicate);
    const bool isTrue = isAbove != isUpper;
    // As it holds: "at most" or "at least" the bound, or beyond it.
    const auto holds = isTrue ? predicate : llvm::CmpInst::getInversePredicate(predicate);
    const int64_t more = llvm::CmpInst::isStrictPredicate(holds) ? (isUpper ? -1 : 1) : 0;
    if (!limit({counter}, compare.isSigned(), isUpper, bound, more)) return;
    known_.push_back({&compare, llvm::ConstantInt::getBool(compare.getType(), isTrue)});
  }

  /// Whether all that a test decides is that there is nothing more to do for a work-item.
  bool onlyEndsItem(const llvm::Instruction &test) {
    return llvm::all_of(test.users(), [&](const llvm::User *user) {
      if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(user))
        return llvm::is_contained(branch->successors(), loop_.getLoopLatch());
      return llvm::isa<llvm::SelectInst, llvm::BinaryOperator>(user) && user->getType()->isIntegerTy(1) &&
             onlyEndsItem(*llvm::cast<llvm::Instruction>(user));
    });
  }

  /// Where work-items go, or where they access memory.
  bool decides(llvm::Instruction &instruction) {
    llvm::SmallPtrSet<llvm::Value *, 16> seen;
    llvm::SmallVector<llvm::Value *, 16> open{&instruction};
    while (!open.empty()) {
      llvm::Value *value = open.pop_back_val();
      if (!seen.insert(value).second) continue;
      for (llvm::User *user : value->users()) {
        if (llvm::isa<llvm::BranchInst, llvm::SwitchInst, llvm::GetElementPtrInst>(user)) return true;
        if (llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::SelectInst, llvm::FreezeInst, llvm::MinMaxIntrinsic>(
                user))
          open.push_back(user);
      }
    }
    return false;
  }

  llvm::Value *multiple(Builder &builder, llvm::Value *count) {
    return builder.CreateAnd(count, builder.getInt64(uint64_t(-kStep)));
  }

  /// Another number of turns that were done before.
  llvm::Value *after(Builder &builder, llvm::PHINode &phi, llvm::Value *start, llvm::Value *turns) {
    return builder.CreateAdd(start, builder.CreateZExtOrTrunc(turns, phi.getType()));
  }

  /// The loop counts on from `begin` to `end`.
  void recount(llvm::BasicBlock &header, llvm::BasicBlock &latch, llvm::BasicBlock &before, llvm::BasicBlock &behind,
               llvm::Value *begin, llvm::Value *end, llvm::ArrayRef<llvm::Value *> starts) {
    Builder first(before.getTerminator());
    for (auto [phi, start] : llvm::zip(header.phis(), starts))
      phi.setIncomingValueForBlock(&before, after(first, phi, start, begin));
    Builder builder(&header, header.begin());
    llvm::PHINode *counter = builder.CreatePHI(number_, 2, "item");
    llvm::Instruction *old = latch.getTerminator();
    builder.SetInsertPoint(old);
    llvm::Value *next = builder.CreateAdd(counter, builder.getInt64(1), "", true, true);
    counter->addIncoming(begin, &before);
    counter->addIncoming(next, &latch);
    llvm::BranchInst *again = builder.CreateCondBr(builder.CreateICmpULT(next, end), &header, &behind);
    again->setMetadata(llvm::LLVMContext::MD_loop, old->getMetadata(llvm::LLVMContext::MD_loop));
    old->eraseFromParent();
  }

  void split() {
    llvm::LLVMContext &context = kernel_.getContext();
    llvm::BasicBlock *header = loop_.getHeader(), *latch = loop_.getLoopLatch(), *before = loop_.getLoopPreheader();
    llvm::BasicBlock *exit = loop_.getUniqueExitBlock();
    for (llvm::PHINode &phi : header->phis()) {
      if (!phi.getType()->isIntegerTy(32)) continue;
      staysBelow(asCounter(evolution_.getSCEV(&phi)), /*isSigned=*/true, 1);
      counted_.push_back(&phi);
    }

    // How many there are, and which of them are between the borders.
    llvm::SCEVExpander expander(evolution_, kernel_.getDataLayout(), "border");
    llvm::Instruction *at = before->getTerminator();
    const llvm::SCEV *turns = evolution_.getNoopOrZeroExtend(evolution_.getBackedgeTakenCount(&loop_), number_);
    llvm::Value *all = expander.expandCodeFor(evolution_.getAddExpr(turns, constant(1)), number_, at);
    Builder builder(at);
    llvm::Value *from = builder.getInt64(0), *to = all;
    // Of numbers that nobody may have asked for nothing is promised.
    for (const llvm::SCEV *one : from_)
      from = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, from,
                                           builder.CreateFreeze(expander.expandCodeFor(one, number_, at)));
    for (const llvm::SCEV *one : below_)
      to = builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, to,
                                         builder.CreateFreeze(expander.expandCodeFor(one, number_, at)));
    from = multiple(builder, builder.CreateAdd(from, builder.getInt64(kStep - 1)));
    to = multiple(builder, to);
    llvm::Value *many = builder.CreateICmpSGE(to, builder.CreateAdd(from, builder.getInt64(uint64_t(fewest_.inside))));
    for (llvm::Value *isExact : areExact_) many = builder.CreateAnd(many, isExact);
    from = builder.CreateSelect(many, from, all, "border.from");
    to = builder.CreateSelect(many, to, all, "border.to");

    llvm::SmallVector<llvm::Value *, 4> starts;
    for (llvm::PHINode &phi : header->phis()) starts.push_back(phi.getIncomingValueForBlock(before));
    const auto make = [&](const char *name) { return llvm::BasicBlock::Create(context, name, &kernel_, header); };
    llvm::BasicBlock *part = make("part"), *begin = make("border"), *behind = make("border.done");
    llvm::BasicBlock *inside = make("inside"), *last = make("part.done");

    llvm::ValueToValueMapTy map;
    llvm::SmallVector<llvm::BasicBlock *, 16> copies;
    for (llvm::BasicBlock *block : loop_.blocks()) {
      llvm::BasicBlock *copy = llvm::CloneBasicBlock(block, map, ".inside", &kernel_);
      copy->moveBefore(exit);
      map[block] = copy;
      copies.push_back(copy);
    }
    map[before] = inside;
    llvm::remapInstructionsInBlocks(copies, map);

    at->eraseFromParent();
    Builder(before).CreateBr(part);
    header->replacePhiUsesWith(before, begin);
    builder.SetInsertPoint(part);
    llvm::PHINode *isLast = builder.CreatePHI(builder.getInt1Ty(), 2, "is.last");
    isLast->addIncoming(builder.getFalse(), before);
    isLast->addIncoming(builder.getTrue(), last);
    llvm::Value *first = builder.CreateSelect(isLast, to, builder.getInt64(0));
    llvm::Value *end = builder.CreateSelect(isLast, all, from);
    builder.CreateCondBr(builder.CreateICmpULT(first, end), begin, behind);
    Builder(begin).CreateBr(header);
    recount(*header, *latch, *begin, *behind, first, end, starts);
    builder.SetInsertPoint(behind);
    auto *around = llvm::BasicBlock::Create(context, "inside.any", &kernel_, inside);
    builder.CreateCondBr(isLast, exit, around);
    Builder(around).CreateCondBr(Builder(around).CreateICmpULT(from, to), inside, last);
    auto *innerHeader = llvm::cast<llvm::BasicBlock>(map[header]);
    Builder(inside).CreateBr(innerHeader);
    auto *innerLatch = llvm::cast<llvm::BasicBlock>(map[latch]);
    recount(*innerHeader, *innerLatch, *inside, *last, from, to, starts);
    if (llvm::MDNode *id = loop_.getLoopID()) {
      llvm::SmallVector<llvm::Metadata *, 4> parts(id->op_begin(), id->op_end());
      llvm::MDNode *own = llvm::MDNode::getDistinct(context, parts);
      own->replaceOperandWith(0, own);
      innerLatch->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, own);
    }
    Builder(last).CreateBr(part);
    useKnown(map);
  }

  /// In the loop between the borders.
  void useKnown(llvm::ValueToValueMapTy &map) {
    const auto mapped = [&](llvm::Value *value) {
      llvm::Value *found = map.lookup(value);
      return found ? found : value;
    };
    // By a sum in the loop's last block: scalar evolution looks no further.
    auto *latch = llvm::cast<llvm::BasicBlock>(mapped(loop_.getLoopLatch()));
    for (llvm::PHINode *phi : counted_) {
      auto *copy = llvm::cast<llvm::PHINode>(mapped(phi));
      Builder builder(latch->getTerminator());
      copy->setIncomingValueForBlock(latch, builder.CreateNSWAdd(copy, llvm::ConstantInt::get(copy->getType(), 1)));
    }
    for (const Known &one : known_) {
      auto *clamp = llvm::dyn_cast<llvm::MinMaxIntrinsic>(one.instruction);
      auto *sum = clamp ? llvm::dyn_cast<llvm::BinaryOperator>(mapped(one.value)) : nullptr;
      // From a counter to another both in their range.
      if (sum && clamp->isSigned() && match(sum, m_Add(m_Value(), m_ConstantInt())) &&
          llvm::is_contained(counted_, llvm::cast<llvm::BinaryOperator>(one.value)->getOperand(0)))
        sum->setHasNoSignedWrap();
    }
    for (llvm::Loop *loop : unrolled_) {
      llvm::LLVMContext &context = kernel_.getContext();
      llvm::MDNode *wish = llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.full"));
      llvm::MDNode *id = llvm::MDNode::getDistinct(context, {nullptr, wish});
      id->replaceOperandWith(0, id);
      auto *end = llvm::cast<llvm::BasicBlock>(mapped(loop->getLoopLatch()))->getTerminator();
      end->setMetadata(llvm::LLVMContext::MD_loop, id);
    }
    // From the last on, as one may be the value of another.
    for (const Known &one : llvm::reverse(known_)) {
      auto *instruction = llvm::cast<llvm::Instruction>(mapped(one.instruction));
      llvm::Value *value = mapped(one.value);
      if (one.more) value = sumOf(one, *value, *instruction);
      instruction->replaceAllUsesWith(value);
      instruction->eraseFromParent();
    }
  }

  /// A pixel's place, which no sum on the way to it goes far away from.
  llvm::Value *sumOf(const Known &one, llvm::Value &number, llvm::Instruction &before) {
    Builder builder(&before);
    const auto shortened = [&](llvm::Value *value) {
      if (value->getType()->getIntegerBitWidth() <= 32) return builder.CreateSExt(value, one.more->getType());
      return builder.CreateTrunc(value, one.more->getType(), "", false, true);
    };
    // A neighbor's is a little further from what several have in common.
    if (one.neighbor < 0) return builder.CreateNSWAdd(shortened(&number), one.more);
    auto &sum = llvm::cast<llvm::BinaryOperator>(number);
    llvm::Value *base = builder.CreateNSWAdd(shortened(sum.getOperand(1 - unsigned(one.neighbor))), one.more);
    return builder.CreateNSWAdd(base, shortened(sum.getOperand(unsigned(one.neighbor))));
  }

  llvm::Loop &loop_;
  llvm::Function &kernel_;
  const Fewest &fewest_;
  const bool masksAreFree_;
  unsigned size_ = 0; ///< instructions
  const llvm::LoopInfo &loops_;
  llvm::ScalarEvolution &evolution_;
  llvm::Type *number_;
  llvm::SmallVector<Known, 16> known_;
  llvm::SmallVector<llvm::PHINode *, 2> counted_; ///< that do not wrap between the borders, nor does what comes next
  llvm::DenseMap<llvm::Value *, const llvm::SCEV *> replaced_;
  llvm::SmallSetVector<llvm::Loop *, 2> unrolled_; ///< between the borders
  llvm::MapVector<llvm::Value *, Parts> coordinates_;
  llvm::SmallVector<std::pair<Sum, std::unique_ptr<RowParts>>, 4> rowParts_;
  llvm::MapVector<llvm::Value *, llvm::Value *> areShort_;    ///< lengths of rows
  llvm::SmallSetVector<llvm::Value *, 4> areExact_;           ///< that all sums of coordinates are
  llvm::SmallSetVector<const llvm::SCEV *, 16> from_, below_; ///< turns: the first one, and that of which it is not so
};

/// Turns have pixels in common.
llvm::FunctionPassManager unrollBetweenBorders() {
  llvm::LoopPassManager unroll;
  unroll.addPass(llvm::LoopFullUnrollPass(3, /*OnlyWhenForced=*/true));
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(std::move(unroll)));
  passes.addPass(llvm::EarlyCSEPass(false));
  return passes;
}

} // namespace

llvm::PreservedAnalyses SplitAtBorders::run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  if (request.specialization.vectorPlan == abi::VectorPlan::Never || needsOrder(kernel))
    return llvm::PreservedAnalyses::all();
  llvm::FunctionAnalysisManager &analyses = functionAnalyses(module, manager);
  const bool isTest = request.specialization.vectorPlan == abi::VectorPlan::Always;
  const VectorCosts *costs = vectorCosts(request.specialization.target);
  const bool masksAreFree = !isTest && costs && costs->hasMaskRegisters();
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> done;
  const bool changed = changeLoops(kernel, analyses, [&](llvm::Loop &loop) {
    if (!llvm::findOptionMDForLoop(&loop, kWorkItemLoop) || !done.insert(loop.getHeader()).second) return false;
    if (waitsForSubGroup(loop)) return false;
    const llvm::DebugLoc place = loop.getStartLoc();
    llvm::BasicBlock *header = loop.getHeader();
    Splitter splitter(loop, kernel, analyses, isTest ? kFewestInTests : kFewest, masksAreFree);
    if (!splitter.run()) return false;
    remark(*header, place, [] { return std::string("work-items away from borders have a loop of their own"); });
    if (splitter.unrolls()) {
      analyses.invalidate(kernel, llvm::PreservedAnalyses::none());
      unrollBetweenBorders().run(kernel, analyses);
    }
    return true;
  });
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
