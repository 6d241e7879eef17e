// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/form_sorting_networks.h"

#include "emulator/codegen/analysis/analysis_table.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallBitVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace us::codegen {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

/// Elements that are sorted, and minima and maxima that this takes.
constexpr uint64_t kMostSorted = 64, kMostExchanged = 1200;

/// A place in the array: bytes from its begin, and how far it moves with each turn of the two loops.
struct SortedPlace {
  uint64_t begin;
  int64_t byOuter, byInner;
  bool operator==(const SortedPlace &) const = default;
};

/// Loops that sort `count` elements from the byte `begin` on, as far as `turns` turns go: the elements that are in
/// their place then are the first ones, or the last ones.
struct SortLoop {
  Loop *outer;
  AllocaInst *memory;
  IntegerType *element;
  uint64_t begin, count, turns;
  bool isSigned, ascends, fromEnd;
};

/// Two elements, the first of which is before the other.
using Exchange = std::pair<unsigned, unsigned>;

/// Batcher's merge exchange (Knuth, The Art of Computer Programming, 5.2.2, algorithm M).
SmallVector<Exchange, 0> mergeExchange(unsigned count) {
  SmallVector<Exchange, 0> exchanges;
  const unsigned top = unsigned(PowerOf2Ceil(count)) / 2;
  for (unsigned p = top; p; p /= 2)
    for (unsigned q = top, rest = 0, distance = p;; distance = q - p, q /= 2, rest = p) {
      for (unsigned i = 0; i + distance < count; ++i)
        if ((i & p) == rest) exchanges.push_back({i, i + distance});
      if (q == p) break;
    }
  return exchanges;
}

SmallVector<Exchange, 0> selection(unsigned count, unsigned turns, bool fromEnd) {
  SmallVector<Exchange, 0> exchanges;
  for (unsigned turn = 0; turn < turns; ++turn)
    for (unsigned i = turn + 1; i < count; ++i)
      exchanges.push_back(fromEnd ? Exchange(count - 1 - i, count - 1 - turn) : Exchange(turn, i));
  return exchanges;
}

/// How many minima and maxima lead to the elements that are needed.
uint64_t operations(ArrayRef<Exchange> exchanges, SmallBitVector needed) {
  uint64_t count = 0;
  for (const auto &[low, high] : reverse(exchanges)) {
    count += needed[low] + needed[high];
    if (needed[low] || needed[high]) needed.set(low).set(high);
  }
  return count;
}

class SortMatcher {
public:
  SortMatcher(Loop &outer, ScalarEvolution &evolution, DominatorTree &dominators)
      : outer_(outer), evolution_(evolution), dominators_(dominators) {}

  std::optional<SortLoop> run() {
    if (outer_.getSubLoops().size() != 1 || !isCounted(outer_)) return std::nullopt;
    inner_ = outer_.getSubLoops().front();
    if (!inner_->isInnermost() || !isCounted(*inner_)) return std::nullopt;
    turns_ = evolution_.getSmallConstantTripCount(&outer_);
    if (turns_ == 0 || turns_ > kMostSorted || !findAccesses() || !findInnerTurns()) return std::nullopt;
    SortLoop sort{&outer_, memory_, element_, 0, innerTurns_.front() + 1, turns_, false, false, false};
    const bool isFound = inner_->contains(stores_[0]) ? matchExchange(sort) : matchSelection(sort);
    if (!isFound || sort.count < 3 || sort.count > kMostSorted) return std::nullopt;
    const auto size = memory_->getAllocationSize(memory_->getDataLayout());
    if (!size || size->isScalable() || sort.begin + sort.count * bytes_ > size->getFixedValue()) return std::nullopt;
    return sort;
  }

private:
  static bool isCounted(const Loop &loop) {
    return loop.isLoopSimplifyForm() && loop.getExitingBlock() && loop.getExitingBlock() == loop.getLoopLatch() &&
           loop.getExitBlock();
  }

  /// Loads and two stores of elements of one array, and nothing else that is seen from without.
  bool findAccesses() {
    for (BasicBlock *block : outer_.blocks())
      for (Instruction &instruction : *block) {
        for (const User *user : instruction.users())
          if (!outer_.contains(cast<Instruction>(user))) return false;
        if (auto *load = dyn_cast<LoadInst>(&instruction); load && load->isSimple())
          loads_.push_back(load);
        else if (auto *store = dyn_cast<StoreInst>(&instruction); store && store->isSimple())
          stores_.push_back(store);
        else if (instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects())
          return false;
      }
    if (stores_.size() != 2 || stores_[0]->getParent() != stores_[1]->getParent()) return false;
    element_ = dyn_cast<IntegerType>(stores_[0]->getValueOperand()->getType());
    memory_ = dyn_cast<AllocaInst>(getUnderlyingObject(stores_[0]->getPointerOperand()));
    if (!element_ || !memory_ || !memory_->isStaticAlloca()) return false;
    bytes_ = element_->getBitWidth() / 8;
    if (!is_contained({8u, 16u, 32u, 64u}, element_->getBitWidth())) return false;
    auto isElement = [&](Instruction *access) {
      return getLoadStoreType(access) == element_ && getUnderlyingObject(getLoadStorePointerOperand(access)) == memory_;
    };
    // What is read in a turn was there when it began. (Stores behind the inner loop use what it found.)
    const bool areInside = inner_->contains(stores_[0]);
    auto isBefore = [&](LoadInst *load) {
      return (!areInside && inner_->contains(load)) || dominators_.dominates(load, stores_[0]);
    };
    return all_of(stores_, isElement) && all_of(loads_, isElement) && all_of(loads_, isBefore);
  }

  /// How often the inner loop turns in each turn of the outer one.
  bool findInnerTurns() {
    BasicBlock *block = inner_->getLoopPreheader();
    while (!dominators_.dominates(block, outer_.getLoopLatch()) && block->getSinglePredecessor() &&
           block->getSinglePredecessor()->getSingleSuccessor())
      block = block->getSinglePredecessor();
    ICmpInst *asked = nullptr;
    bool isTaken = true;
    if (!dominators_.dominates(block, outer_.getLoopLatch())) {
      guard_ = block->getSinglePredecessor();
      auto *branch = guard_ ? dyn_cast<BranchInst>(guard_->getTerminator()) : nullptr;
      if (!branch || !branch->isConditional() || !dominators_.dominates(guard_, outer_.getLoopLatch())) return false;
      asked = dyn_cast<ICmpInst>(branch->getCondition());
      isTaken = branch->getSuccessor(0) == block;
      if (!asked || !asked->getOperand(0)->getType()->isIntegerTy()) return false;
    }
    const SCEV *count = evolution_.getBackedgeTakenCount(inner_);
    if (isa<SCEVCouldNotCompute>(count)) return false;
    for (uint64_t turn = 0; turn < turns_; ++turn) {
      if (asked) {
        const auto *left = inTurn(evolution_.getSCEV(asked->getOperand(0)), turn);
        const auto *right = inTurn(evolution_.getSCEV(asked->getOperand(1)), turn);
        if (!left || !right) return false;
        if (ICmpInst::compare(left->getAPInt(), right->getAPInt(), asked->getPredicate()) != isTaken) {
          innerTurns_.push_back(0);
          continue;
        }
      }
      const auto *turns = inTurn(count, turn);
      if (!turns || turns->getAPInt().uge(kMostSorted)) return false;
      innerTurns_.push_back(turns->getAPInt().getZExtValue() + 1);
    }
    return true;
  }

  const SCEVConstant *inTurn(const SCEV *value, uint64_t turn) {
    LoopToScevMapT turns{{&outer_, evolution_.getConstant(APInt(64, turn))}};
    return dyn_cast<SCEVConstant>(SCEVLoopAddRecRewriter::rewrite(value, turns, evolution_));
  }

  /// Nobody goes over elements beyond those that are not in their place yet.
  bool turnsOverRest(uint64_t count) {
    if (turns_ > count) return false;
    for (uint64_t turn = 0; turn < turns_; ++turn)
      if (innerTurns_[turn] != count - 1 - turn) return false;
    return true;
  }

  bool turnsOverRestAtLeast(uint64_t count) {
    if (turns_ > count) return false;
    for (uint64_t turn = 0; turn < turns_; ++turn)
      if (innerTurns_[turn] < count - 1 - turn || innerTurns_[turn] > count - 1) return false;
    return true;
  }

  std::optional<SortedPlace> placeOf(const SCEV *value) {
    SortedPlace place{0, 0, 0};
    for (auto [loop, step] : {std::pair{inner_, &place.byInner}, std::pair{&outer_, &place.byOuter}})
      if (auto *moved = dyn_cast<SCEVAddRecExpr>(value); moved && moved->getLoop() == loop) {
        auto *by = dyn_cast<SCEVConstant>(moved->getStepRecurrence(evolution_));
        if (!moved->isAffine() || !by || by->getAPInt().getSignificantBits() > 32) return std::nullopt;
        *step = by->getAPInt().getSExtValue();
        value = moved->getStart();
      }
    auto *begin = dyn_cast<SCEVConstant>(value);
    if (!begin || begin->getAPInt().isNegative() || begin->getAPInt().getActiveBits() > 31) return std::nullopt;
    place.begin = begin->getAPInt().getZExtValue();
    return place;
  }

  std::optional<SortedPlace> placeOf(Value *pointer) {
    const SCEV *place = evolution_.getSCEV(pointer);
    if (evolution_.getPointerBase(place) != evolution_.getSCEV(memory_)) return std::nullopt;
    return placeOf(evolution_.removePointerBase(place));
  }

  bool isLoadFrom(Value *value, const SortedPlace &place) {
    auto *load = dyn_cast<LoadInst>(value);
    return load && is_contained(loads_, load) && placeOf(load->getPointerOperand()) == place;
  }

  /// Exchanges of two elements by a comparison of them.
  bool matchExchange(SortLoop &sort) {
    BasicBlock *swap = stores_[0]->getParent(), *before = swap->getSinglePredecessor();
    auto *branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
    auto *asked = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    if (!asked || !inner_->contains(before) || !dominators_.dominates(before, inner_->getLoopLatch())) return false;
    auto predicate = asked->getPredicate();
    if (branch->getSuccessor(0) != swap) predicate = CmpInst::getInversePredicate(predicate);
    if (ICmpInst::isEquality(predicate)) return false;
    auto first = placeOf(stores_[0]->getPointerOperand()), second = placeOf(stores_[1]->getPointerOperand());
    if (!first || !second || *first == *second || !isLoadFrom(stores_[0]->getValueOperand(), *second) ||
        !isLoadFrom(stores_[1]->getValueOperand(), *first))
      return false;
    // What is compared are these two, `first` on the left.
    if (isLoadFrom(asked->getOperand(0), *second) && isLoadFrom(asked->getOperand(1), *first))
      predicate = CmpInst::getSwappedPredicate(predicate);
    else if (!isLoadFrom(asked->getOperand(0), *first) || !isLoadFrom(asked->getOperand(1), *second))
      return false;
    // `low` gets the lesser one.
    sort.isSigned = ICmpInst::isSigned(predicate);
    const bool isLess = ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate);
    const SortedPlace low = isLess ? *second : *first, high = isLess ? *first : *second;
    const auto step = int64_t(bytes_);
    auto goesBehind = [&](const SortedPlace &one, const SortedPlace &other) {
      return one.byOuter == step && one.byInner == 0 && other == SortedPlace{one.begin + bytes_, step, step};
    };
    auto isBeside = [&](const SortedPlace &one, const SortedPlace &other) {
      return one.byOuter == 0 && one.byInner == step && other == SortedPlace{one.begin + bytes_, 0, step};
    };
    sort.begin = std::min(low.begin, high.begin);
    sort.ascends = low.begin < high.begin;
    sort.fromEnd = isBeside(low, high) || isBeside(high, low);
    if (sort.fromEnd) return turnsOverRestAtLeast(sort.count);
    return (goesBehind(low, high) || goesBehind(high, low)) && turnsOverRest(sort.count);
  }

  /// Whether outside the inner loop a value is what `inside`, a value of its last turn, is, or `before` if there was
  /// none.
  bool isResult(Value *value, Value *inside, function_ref<bool(Value *)> isBefore) {
    if (value == inside) return true;
    auto *meeting = dyn_cast<PHINode>(value);
    if (!meeting || !outer_.contains(meeting) || meeting->getParent() == outer_.getHeader() ||
        inner_->contains(meeting))
      return false;
    for (const auto &[from, incoming] : zip(meeting->blocks(), meeting->incoming_values())) {
      const bool isBehind = inner_->contains(from) || dominators_.dominates(inner_->getExitBlock(), from);
      if (isBehind ? !isResult(incoming, inside, isBefore) : from != guard_ || !isBefore(incoming)) return false;
    }
    return true;
  }

  /// The index in a pointer `memory + offset + bytes * index`.
  Value *indexIn(Value *pointer, APInt &offset) {
    auto *place = dyn_cast<GEPOperator>(pointer);
    if (!place || place->getPointerOperand()->stripPointerCasts() != memory_) return nullptr;
    const DataLayout &layout = memory_->getDataLayout();
    const unsigned bits = layout.getIndexTypeSizeInBits(place->getType());
    MapVector<Value *, APInt> variable;
    offset = APInt(bits, 0);
    if (!place->collectOffset(layout, bits, variable, offset) || variable.size() != 1 ||
        variable.front().second != bytes_)
      return nullptr;
    Value *index = variable.front().first, *shorter = nullptr;
    return match(index, m_ZExtOrSExt(m_Value(shorter))) ? shorter : index;
  }

  /// The least element's index is found, and the element exchanged with the first one.
  bool matchSelection(SortLoop &sort) {
    BasicBlock *swap = stores_[0]->getParent();
    // One of the stores is at the turn's own place.
    const bool isFirst = placeOf(stores_[0]->getPointerOperand()).has_value();
    StoreInst *toOwn = stores_[isFirst ? 0 : 1], *toFound = stores_[isFirst ? 1 : 0];
    const auto own = placeOf(toOwn->getPointerOperand());
    APInt offset;
    Value *found = indexIn(toFound->getPointerOperand(), offset);
    const auto step = int64_t(bytes_);
    if (!own || !found || own->byOuter != step || own->byInner != 0) return false;
    sort.begin = own->begin;
    // The index in the loop, and when it changes.
    if (inner_->getNumBlocks() != 1) return false;
    BasicBlock *body = inner_->getHeader();
    for (PHINode &best : body->phis()) {
      auto *chosen = dyn_cast<SelectInst>(best.getIncomingValueForBlock(body));
      if (!chosen || best.getType() != found->getType()) continue;
      Value *start = best.getIncomingValueForBlock(inner_->getLoopPreheader());
      const SCEV *first = evolution_.getSCEV(start);
      auto isStart = [&](Value *value) { return evolution_.getSCEV(value) == first; };
      if (!isResult(found, chosen, isStart)) continue;
      return isLeast(best, *chosen, offset, *own, sort) && isSwap(*swap, *toOwn, *toFound, found, first, *own) &&
             turnsOverRest(sort.count);
    }
    return false;
  }

  /// Whether `best` is the index of the least (or greatest) element from `own` on.
  bool isLeast(PHINode &best, SelectInst &chosen, const APInt &offset, const SortedPlace &own, SortLoop &sort) {
    BasicBlock *body = inner_->getHeader(), *before = inner_->getLoopPreheader();
    const bool isFlipped = chosen.getTrueValue() == &best;
    Value *index = isFlipped ? chosen.getFalseValue() : chosen.getTrueValue();
    if (!isFlipped && chosen.getFalseValue() != &best) return false;
    const auto start = placeOf(evolution_.getSCEV(best.getIncomingValueForBlock(before)));
    const auto turn = placeOf(evolution_.getSCEV(index));
    if (!start || !turn || start->byOuter != 1 || start->byInner != 0 || *turn != SortedPlace{start->begin + 1, 1, 1} ||
        offset.getSExtValue() + int64_t(start->begin * bytes_) != int64_t(own.begin) ||
        start->begin + sort.count >= 1ull << std::min(31u, best.getType()->getIntegerBitWidth() - 1))
      return false;
    auto *asked = dyn_cast<ICmpInst>(chosen.getCondition());
    if (!asked || asked->isEquality()) return false;
    const SortedPlace next{own.begin + bytes_, int64_t(bytes_), int64_t(bytes_)};
    auto predicate = asked->getPredicate();
    Value *here = asked->getOperand(0), *least = asked->getOperand(1);
    if (!isLoadFrom(here, next)) {
      std::swap(here, least);
      predicate = CmpInst::getSwappedPredicate(predicate);
    }
    if (isFlipped) predicate = CmpInst::getInversePredicate(predicate);
    if (!isLoadFrom(here, next)) return false;
    sort.isSigned = ICmpInst::isSigned(predicate);
    sort.ascends = ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate);
    APInt other;
    if (auto *load = dyn_cast<LoadInst>(least))
      return indexIn(load->getPointerOperand(), other) == &best && other == offset;
    // The element goes round with its index.
    auto *kept = dyn_cast<PHINode>(least);
    if (!kept || kept->getParent() != body || !isLoadFrom(kept->getIncomingValueForBlock(before), own)) return false;
    leastValue_ = kept->getIncomingValueForBlock(body);
    if (match(leastValue_, m_Select(m_Specific(asked), m_Value(), m_Value()))) {
      auto *choice = cast<SelectInst>(leastValue_);
      return choice->getTrueValue() == (isFlipped ? kept : here) &&
             choice->getFalseValue() == (isFlipped ? here : kept);
    }
    const auto kind = sort.ascends ? (sort.isSigned ? Intrinsic::smin : Intrinsic::umin)
                                   : (sort.isSigned ? Intrinsic::smax : Intrinsic::umax);
    auto *choice = dyn_cast<MinMaxIntrinsic>(leastValue_);
    return choice && choice->getIntrinsicID() == kind &&
           ((choice->getLHS() == kept && choice->getRHS() == here) ||
            (choice->getLHS() == here && choice->getRHS() == kept));
  }

  bool isSwap(BasicBlock &swap, StoreInst &toOwn, StoreInst &toFound, Value *found, const SCEV *start,
              const SortedPlace &own) {
    if (!dominators_.dominates(&swap, outer_.getLoopLatch())) { // unless it is in its place already
      BasicBlock *before = swap.getSinglePredecessor();
      auto *branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
      auto *asked = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
      if (!asked || !asked->isEquality() || !dominators_.dominates(before, outer_.getLoopLatch())) return false;
      if ((branch->getSuccessor(0) == &swap) != (asked->getPredicate() == CmpInst::ICMP_NE)) return false;
      Value *left = asked->getOperand(0), *right = asked->getOperand(1);
      if (left != found) std::swap(left, right);
      if (left != found || evolution_.getSCEV(right) != start) return false;
    }
    if (!isLoadFrom(toFound.getValueOperand(), own)) return false;
    Value *least = toOwn.getValueOperand();
    auto *load = dyn_cast<LoadInst>(least);
    APInt offset, other;
    if (load && !inner_->contains(load) && indexIn(load->getPointerOperand(), other) == found)
      return indexIn(toFound.getPointerOperand(), offset) && other == offset;
    return leastValue_ && isResult(least, leastValue_, [&](Value *value) { return isLoadFrom(value, own); });
  }

  Loop &outer_;
  ScalarEvolution &evolution_;
  DominatorTree &dominators_;
  Loop *inner_ = nullptr;
  BasicBlock *guard_ = nullptr; ///< where it is asked whether the inner loop has a turn at all
  uint64_t turns_ = 0, bytes_ = 0;
  SmallVector<uint64_t, 32> innerTurns_;
  SmallVector<LoadInst *, 4> loads_;
  SmallVector<StoreInst *, 2> stores_;
  AllocaInst *memory_ = nullptr;
  IntegerType *element_ = nullptr;
  Value *leastValue_ = nullptr; ///< in the inner loop's last turn, if it goes round
};

/// Which elements are read after the loops, or none of them if this is not known or one is that was not sorted.
class ReadElements {
public:
  ReadElements(const SortLoop &sort, ScalarEvolution &evolution, DominatorTree &dominators, LoopInfo &loops)
      : sort_(sort), evolution_(evolution), dominators_(dominators), loops_(loops), read_(sort.count) {}

  SmallBitVector run() {
    SmallVector<Value *, 16> open{sort_.memory};
    while (!open.empty()) {
      Value *pointer = open.pop_back_val();
      for (User *user : pointer->users()) {
        auto *instruction = cast<Instruction>(user);
        if (isa<GetElementPtrInst, AddrSpaceCastInst>(instruction))
          open.push_back(instruction);
        else if (!take(*instruction, *pointer))
          return {};
      }
    }
    // What stays in the array is sorted when the loops begin again, unless it is a new one then.
    if (isPotentiallyReachable(sort_.outer->getExitBlock(), sort_.outer->getLoopPreheader(), &begins_, &dominators_,
                               &loops_))
      read_.set();
    const uint64_t sorted = sort_.turns + 1 >= sort_.count ? sort_.count : sort_.turns;
    for (unsigned element : read_.set_bits())
      if (sort_.fromEnd ? element < sort_.count - sorted : element >= sorted) return {};
    return read_;
  }

private:
  bool take(Instruction &user, Value &pointer) {
    if (sort_.outer->contains(&user)) return true;
    if (auto *mark = dyn_cast<IntrinsicInst>(&user); mark && mark->isLifetimeStartOrEnd()) {
      if (mark->getIntrinsicID() == Intrinsic::lifetime_start) begins_.insert(mark->getParent());
      return true;
    }
    if (auto *store = dyn_cast<StoreInst>(&user)) return store->getValueOperand() != &pointer && store->isSimple();
    if (auto *fill = dyn_cast<MemSetInst>(&user)) return !fill->isVolatile();
    auto *load = dyn_cast<LoadInst>(&user);
    if (!load || !load->isSimple()) return false;
    if (!isReached(load)) return true;
    const SCEV *place = evolution_.getSCEV(&pointer);
    if (evolution_.getPointerBase(place) != evolution_.getSCEV(sort_.memory)) return false;
    const ConstantRange places = evolution_.getUnsignedRange(evolution_.removePointerBase(place));
    const uint64_t bytes = sort_.element->getBitWidth() / 8, end = sort_.begin + sort_.count * bytes;
    const uint64_t least = places.getUnsignedMin().getLimitedValue(),
                   most = std::min(places.getUnsignedMax().getLimitedValue(), end),
                   behind = most + load->getDataLayout().getTypeStoreSize(load->getType()).getFixedValue();
    for (uint64_t element = 0; element < sort_.count; ++element)
      if (sort_.begin + element * bytes < behind && least < sort_.begin + (element + 1) * bytes) read_.set(element);
    return true;
  }

  bool isReached(const Instruction *instruction) {
    return isPotentiallyReachable(&sort_.outer->getExitBlock()->front(), instruction, nullptr, &dominators_, &loops_);
  }

  const SortLoop &sort_;
  ScalarEvolution &evolution_;
  DominatorTree &dominators_;
  LoopInfo &loops_;
  SmallBitVector read_;
  SmallPtrSet<BasicBlock *, 2> begins_; ///< of the array's lifetime
};

void sortByNetwork(const SortLoop &sort, SmallBitVector needed, ArrayRef<Exchange> exchanges) {
  // Elements that nobody needs are left out, from the end.
  SmallVector<std::pair<Exchange, std::pair<bool, bool>>, 0> kept;
  const SmallBitVector results = needed;
  for (const auto &[low, high] : reverse(exchanges)) {
    if (!needed[low] && !needed[high]) continue;
    kept.push_back({{low, high}, {needed[low], needed[high]}});
    needed.set(low).set(high);
  }
  IRBuilder<> builder(sort.outer->getLoopPreheader()->getTerminator());
  const uint64_t bytes = sort.element->getBitWidth() / 8;
  const Align align = commonAlignment(sort.memory->getAlign(), MinAlign(bytes, sort.begin));
  auto place = [&](uint64_t element) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), sort.memory, sort.begin + element * bytes);
  };
  // What nobody has written needs no care: the loops branch by it, which is undefined.
  SmallVector<Value *, 64> elements(sort.count);
  for (unsigned element : needed.set_bits())
    elements[element] = builder.CreateAlignedLoad(sort.element, place(element), align);
  const auto least = sort.isSigned ? Intrinsic::smin : Intrinsic::umin;
  const auto most = sort.isSigned ? Intrinsic::smax : Intrinsic::umax;
  for (const auto &[exchange, results] : reverse(kept)) {
    Value *&low = elements[exchange.first], *&high = elements[exchange.second], *first = low, *second = high;
    if (results.first) low = builder.CreateBinaryIntrinsic(sort.ascends ? least : most, first, second);
    if (results.second) high = builder.CreateBinaryIntrinsic(sort.ascends ? most : least, first, second);
  }
  for (unsigned element : results.set_bits()) builder.CreateAlignedStore(elements[element], place(element), align);
}

bool sortLoop(Loop &loop, Function &function, FunctionAnalysisManager &analyses) {
  if (loop.isInnermost()) return false;
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  const auto sort = SortMatcher(loop, evolution, dominators).run();
  if (!sort || !loop.isRecursivelyLCSSAForm(dominators, loops)) return false;
  const SmallBitVector needed = ReadElements(*sort, evolution, dominators, loops).run();
  if (needed.empty()) return false;
  auto exchanges = mergeExchange(unsigned(sort->count));
  if (auto few = selection(unsigned(sort->count), unsigned(sort->turns), sort->fromEnd);
      operations(few, needed) < operations(exchanges, needed))
    exchanges = std::move(few);
  if (operations(exchanges, needed) > kMostExchanged) return false;
  sortByNetwork(*sort, needed, exchanges);
  deleteDeadLoop(&loop, &dominators, &evolution, &loops);
  return true;
}

} // namespace

PreservedAnalyses FormSortingNetworks::run(Module &module, ModuleAnalysisManager &manager) {
  FunctionAnalysisManager &analyses = functionAnalyses(module, manager);
  bool changed = false;
  for (Function &function : module)
    if (!function.isDeclaration())
      changed |= changeLoops(function, analyses, [&](Loop &loop) { return sortLoop(loop, function, analyses); });
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace us::codegen
