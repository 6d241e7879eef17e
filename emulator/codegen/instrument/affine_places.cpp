// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/affine_places.h"

#include "emulator/codegen/machine_calls.h"
#include "emulator/codegen/machine_functions.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <array>

namespace us::codegen {

using llvm::SCEV;

namespace {

bool isQuery(const llvm::Value *value, Evolution::Of of) {
  const MachineFunction *known = calledMachineFunction(value);
  if (!known || known->effects != MachineEffects::Query || known->signature.size() > 2) return false;
  return known->difference == Difference::Launches ||
         (of == Evolution::Of::Group && known->difference == Difference::Groups);
}

/// Quotients and what they leave as sums, where a number is a sum of multiples of what it is divided by and of one that
/// is less: with a group of 16 times 16, (16 y + x) / 16 is y, and x is left.
class WithoutQuotients : public llvm::SCEVRewriteVisitor<WithoutQuotients> {
public:
  explicit WithoutQuotients(llvm::ScalarEvolution &all) : SCEVRewriteVisitor(all) {}

  const SCEV *visitUDivExpr(const llvm::SCEVUDivExpr *quotient) {
    const SCEV *number = visit(quotient->getLHS());
    auto *by = llvm::dyn_cast<llvm::SCEVConstant>(quotient->getRHS());
    const Parts parts = by ? partsOf(number, by->getAPInt()) : Parts();
    return parts.times ? parts.times : SE.getUDivExpr(number, quotient->getRHS());
  }

  const SCEV *visitZeroExtendExpr(const llvm::SCEVZeroExtendExpr *longer) {
    const SCEV *from = visit(longer->getOperand());
    llvm::Type *type = longer->getType();
    const unsigned bits = unsigned(SE.getTypeSizeInBits(from->getType()));
    const SCEV *whole = bits < kNumber ? uncut(from) : nullptr;
    if (!whole || SE.getTypeSizeInBits(type) < kNumber) return SE.getZeroExtendExpr(from, type);
    const Parts parts = partsOf(whole, llvm::APInt::getOneBitSet(kNumber, bits));
    if (parts.rest) return SE.getZeroExtendExpr(parts.rest, type);
    // Rows and columns may make the number again.
    const SCEV *number = SE.getZeroExtendExpr(whole, type), *by = SE.getConstant(type, uint64_t(1) << bits);
    return SE.getMinusSCEV(number, SE.getMulExpr(by, SE.getUDivExpr(number, by)));
  }

private:
  static constexpr unsigned kNumber = 32; ///< bits of those that are divided

  /// A number is `times` times another one, and `rest`, which is less; null: it is not known.
  struct Parts {
    const SCEV *times = nullptr, *rest = nullptr;
  };

  Parts partsOf(const SCEV *number, const llvm::APInt &by) {
    if (!by.isStrictlyPositive()) return {};
    llvm::SmallVector<const SCEV *, 8> open{number}, times, rest;
    const unsigned bits = by.getBitWidth(), wide = bits * 2;
    llvm::ConstantRange whole(llvm::APInt(wide, 0));
    while (!open.empty()) {
      const SCEV *one = open.pop_back_val();
      auto *loop = llvm::dyn_cast<llvm::SCEVAddRecExpr>(one);
      auto *longer = llvm::dyn_cast<llvm::SCEVZeroExtendExpr>(one);
      auto *terms = longer ? llvm::dyn_cast<llvm::SCEVAddExpr>(longer->getOperand()) : nullptr;
      if (terms && keepsUnsigned(*terms)) {
        for (const SCEV *term : terms->operands()) open.push_back(SE.getZeroExtendExpr(term, one->getType()));
        continue;
      }
      if (llvm::isa<llvm::SCEVAddExpr>(one)) {
        open.append(one->operands().begin(), one->operands().end());
        continue;
      }
      if (loop && loop->isAffine() && !loop->getStart()->isZero()) {
        open.push_back(loop->getStart());
        open.push_back(counted(*loop, loop->getStepRecurrence(SE)));
        continue;
      }
      whole = whole.add(SE.getSignedRange(one).signExtend(wide));
      const SCEV *share = shareOf(one, by);
      (share ? times : rest).push_back(share ? share : one);
    }
    llvm::Type *type = number->getType();
    const SCEV *left = rest.empty() ? SE.getZero(type) : SE.getAddExpr(rest);
    const llvm::ConstantRange range = SE.getSignedRange(left);
    const bool isLess = !range.getSignedMin().isNegative() && range.getSignedMax().ult(by);
    const llvm::ConstantRange all(llvm::APInt(wide, 0), llvm::APInt::getOneBitSet(wide, bits - 1));
    if (!isLess || !all.contains(whole)) return {};
    return {times.empty() ? SE.getZero(type) : SE.getAddExpr(times), left};
  }

  /// No sum of its terms, as numbers without sign, wraps.
  bool keepsUnsigned(const llvm::SCEVAddExpr &sum) {
    const unsigned bits = unsigned(SE.getTypeSizeInBits(sum.getType())), wide = bits * 2;
    llvm::ConstantRange whole(llvm::APInt(wide, 0));
    for (const SCEV *one : sum.operands()) whole = whole.add(SE.getUnsignedRange(one).zeroExtend(wide));
    return llvm::ConstantRange(bits, /*isFullSet=*/true).zeroExtend(wide).contains(whole);
  }

  /// A number of 32 bits of which this is the lower ones; null: what it was cut from is not known.
  const SCEV *uncut(const SCEV *what) {
    llvm::Type *type = llvm::Type::getIntNTy(SE.getContext(), kNumber);
    if (auto *number = llvm::dyn_cast<llvm::SCEVConstant>(what))
      return SE.getConstant(number->getAPInt().zext(kNumber));
    if (auto *cut = llvm::dyn_cast<llvm::SCEVTruncateExpr>(what)) {
      const SCEV *from = cut->getOperand();
      return SE.getTypeSizeInBits(from->getType()) < kNumber ? nullptr : SE.getTruncateOrNoop(from, type);
    }
    if (!llvm::isa<llvm::SCEVAddExpr, llvm::SCEVMulExpr>(what)) return nullptr;
    llvm::SmallVector<const SCEV *, 4> parts;
    for (const SCEV *one : what->operands()) {
      parts.push_back(uncut(one));
      if (!parts.back()) return nullptr;
    }
    return llvm::isa<llvm::SCEVAddExpr>(what) ? SE.getAddExpr(parts) : SE.getMulExpr(parts);
  }

  const SCEV *counted(const llvm::SCEVAddRecExpr &loop, const SCEV *step) {
    return SE.getAddRecExpr(SE.getZero(step->getType()), step, loop.getLoop(), SCEV::FlagAnyWrap);
  }

  /// Divided; null: it is no multiple that says so.
  const SCEV *shareOf(const SCEV *one, const llvm::APInt &by) {
    const auto divided = [&](const SCEV *what) -> const SCEV * {
      auto *number = llvm::dyn_cast<llvm::SCEVConstant>(what);
      if (!number || !number->getAPInt().srem(by).isZero()) return nullptr;
      return SE.getConstant(number->getAPInt().sdiv(by));
    };
    if (auto *product = llvm::dyn_cast<llvm::SCEVMulExpr>(one)) {
      llvm::SmallVector<const SCEV *, 4> factors(product->operands());
      factors[0] = divided(factors[0]);
      return factors[0] ? SE.getMulExpr(factors) : nullptr;
    }
    auto *loop = llvm::dyn_cast<llvm::SCEVAddRecExpr>(one);
    if (!loop) return divided(one);
    const SCEV *step = loop->isAffine() ? divided(loop->getStepRecurrence(SE)) : nullptr;
    return step ? counted(*loop, step) : nullptr;
  }
};

/// Where all that a block does is to branch on `a && b`, or `a || b`, as loops do: who has found the first part false,
/// or true, goes on without it. So what each part says is known behind it, as behind those of an if.
void branchByParts(llvm::Function &function) {
  using namespace llvm;
  for (BasicBlock &block : function) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    auto *both = branch && branch->isConditional() ? dyn_cast<PHINode>(branch->getCondition()) : nullptr;
    if (!both || both != &block.front() || !both->hasOneUse() || both->getNextNonDebugInstruction() != branch) continue;
    for (unsigned i = both->getNumIncomingValues(); i-- > 0;) {
      auto *known = dyn_cast<ConstantInt>(both->getIncomingValue(i));
      BasicBlock *before = both->getIncomingBlock(i), *next = branch->getSuccessor(known && known->isZero() ? 1 : 0);
      if (!known || next == &block || is_contained(predecessors(next), before)) continue;
      before->getTerminator()->replaceSuccessorWith(&block, next);
      for (PHINode &merged : next->phis()) merged.addIncoming(merged.getIncomingValueForBlock(&block), before);
      both->removeIncomingValue(i, /*DeletePHIIfEmpty=*/false);
    }
    if (both->getNumIncomingValues() != 1) continue;
    both->replaceAllUsesWith(both->getIncomingValue(0));
    both->eraseFromParent();
  }
}

} // namespace

Evolution::Evolution(llvm::Function &kernel, Of of, const abi::Specialization *specialization)
    : original_(kernel), of_(of), copy_(llvm::CloneFunction(&kernel, map_)), specialization_(specialization) {
  if (of == Of::Group) llvm::removeUnreachableBlocks(*copy_);
  promoteVariables(*copy_, {});
  branchByParts(*copy_);
  if (of == Of::Launch) unifyQueries();
  if (of == Of::Group) unifyLocalQueries();
  if (of == Of::Groups) unifyGroupQueries();
  llvm::TargetLibraryInfoImpl library(llvm::Triple(kernel.getParent()->getTargetTriple()));
  library.disableAllFunctions();
  library_.emplace(library);
  assumptions_.emplace(*copy_);
  dominators_.emplace(*copy_);
  loops_.emplace(*dominators_);
  evolution_.emplace(*copy_, *library_, *assumptions_, *dominators_, *loops_);
  if (of != Of::Group) return;
  if (countThroughLoops()) evolution_.emplace(*copy_, *library_, *assumptions_, *dominators_, *loops_);
  if (divideWithoutSign()) evolution_.emplace(*copy_, *library_, *assumptions_, *dominators_, *loops_);
}
Evolution::~Evolution() {
  evolution_.reset();
  copy_->eraseFromParent();
}

llvm::Instruction *Evolution::copyOf(const llvm::Instruction &instruction) const {
  return llvm::dyn_cast_or_null<llvm::Instruction>(map_.lookup(&instruction));
}

/// What is compared with constants on the way to an instruction.
llvm::ConstantRange Evolution::comparedBefore(const SCEV *what, const llvm::Instruction &there) {
  using namespace llvm;
  ConstantRange range(unsigned(evolution_->getTypeSizeInBits(what->getType())), /*isFullSet=*/true);
  for (auto *node = dominators_->getNode(there.getParent()); node && node->getIDom(); node = node->getIDom()) {
    BasicBlock *before = node->getIDom()->getBlock();
    auto *branch = dyn_cast<BranchInst>(before->getTerminator());
    auto *test = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    if (!test || branch->getSuccessor(0) == branch->getSuccessor(1) ||
        test->getOperand(0)->getType() != what->getType())
      continue;
    for (unsigned way : {0u, 1u}) {
      if (!dominators_->dominates(BasicBlockEdge(before, branch->getSuccessor(way)), there.getParent())) continue;
      ICmpInst::Predicate predicate = way == 0 ? test->getPredicate() : test->getInversePredicate();
      const SCEV *left = evolution_->getSCEV(test->getOperand(0)), *right = evolution_->getSCEV(test->getOperand(1));
      if (left != what) {
        std::swap(left, right);
        predicate = ICmpInst::getSwappedPredicate(predicate);
      }
      if (left != what) continue;
      range = range.intersectWith(ConstantRange::makeAllowedICmpRegion(predicate, evolution_->getSignedRange(right)),
                                  ConstantRange::Signed);
    }
  }
  return range;
}

llvm::ConstantRange Evolution::rangeAt(const SCEV *what, const llvm::Instruction &there) {
  using namespace llvm;
  ScalarEvolution &all = *evolution_;
  const ConstantRange known = all.getSignedRange(what);
  const unsigned bits = known.getBitWidth();
  const auto fits = [&](const ConstantRange &wide) { // no number of it has wrapped
    return ConstantRange(bits, true).signExtend(wide.getBitWidth()).contains(wide);
  };
  ConstantRange sum(APInt(bits * 2 + 8, 0));
  const auto add = [&](const ConstantRange &one) { sum = sum.add(one.signExtend(sum.getBitWidth())); };
  if (auto *terms = dyn_cast<SCEVAddExpr>(what)) {
    for (const SCEV *one : terms->operands()) add(rangeAt(one, there));
  } else if (auto *loop = dyn_cast<SCEVAddRecExpr>(what)) {
    auto *step = loop->isAffine() ? dyn_cast<SCEVConstant>(loop->getStepRecurrence(all)) : nullptr;
    auto *last = dyn_cast<SCEVConstant>(all.getConstantMaxBackedgeTakenCount(loop->getLoop()));
    if (!step || !last || last->getAPInt().getActiveBits() >= bits) return known;
    APInt times = last->getAPInt().zextOrTrunc(sum.getBitWidth());
    if (isInBody(there, *loop->getLoop()) && !times.isZero()) --times;
    add(rangeAt(loop->getStart(), there));
    const APInt far = step->getAPInt().sext(sum.getBitWidth()) * times, zero(sum.getBitWidth(), 0);
    const APInt end = APIntOps::smax(far, zero) + 1;
    sum = sum.add(ConstantRange(APIntOps::smin(far, zero), end));
  } else if (auto *cast = dyn_cast<SCEVCastExpr>(what); cast && !isa<SCEVTruncateExpr, SCEVPtrToIntExpr>(what)) {
    const ConstantRange from = rangeAt(cast->getOperand(), there);
    if (isa<SCEVZeroExtendExpr>(what) && from.getSignedMin().isNegative()) return known;
    add(from);
  } else {
    return known;
  }
  return fits(sum) ? known.intersectWith(sum.truncate(bits), ConstantRange::Signed) : known;
}

llvm::ConstantRange Evolution::rangeOf(llvm::Value &value, const llvm::Instruction &there) {
  using namespace llvm;
  const SCEV *what = evolution_->getSCEV(&value);
  ConstantRange known = rangeAt(what, there);
  auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction) return known;
  const auto intersect = [&](const ConstantRange &one) { known = known.intersectWith(one, ConstantRange::Signed); };
  intersect(comparedBefore(what, there));
  // Of what is asked about already, as loops carry it round, that is all that is known.
  constexpr size_t kMostAsked = 16;
  constexpr unsigned kMostSteps = 256;
  steps_ = asked_.empty() ? 0 : steps_ + 1;
  if (steps_ == kMostSteps || asked_.size() == kMostAsked || !asked_.insert(instruction).second) return known;
  const auto of = [&](unsigned operand) { return rangeOf(*instruction->getOperand(operand), there); };
  if (isa<PHINode, SelectInst>(instruction)) {
    // It is one of those that it is chosen from, however often.
    ConstantRange any(known.getBitWidth(), /*isFullSet=*/false);
    SmallSetVector<Instruction *, 8> choices;
    choices.insert(instruction);
    const auto add = [&](Value *one, Instruction &where) {
      if (isa<PHINode, SelectInst>(one) && isa<SCEVUnknown>(evolution_->getSCEV(one)))
        choices.insert(cast<Instruction>(one));
      else
        any = any.unionWith(rangeOf(*one, where), ConstantRange::Signed);
    };
    for (size_t i = 0; i < choices.size() && !any.isFullSet(); ++i) {
      if (auto *merged = dyn_cast<PHINode>(choices[i])) {
        for (const Use &one : merged->incoming_values())
          add(one.get(), *merged->getIncomingBlock(one)->getTerminator());
        continue;
      }
      add(choices[i]->getOperand(1), *choices[i]);
      add(choices[i]->getOperand(2), *choices[i]);
    }
    intersect(any);
  } else if (auto *cast = dyn_cast<CastInst>(instruction); cast && cast->getSrcTy()->isIntegerTy()) {
    intersect(of(0).castOp(cast->getOpcode(), known.getBitWidth()));
  } else if (auto *operation = dyn_cast<BinaryOperator>(instruction)) {
    intersect(of(0).binaryOp(operation->getOpcode(), of(1)));
  }
  asked_.erase(instruction);
  return known;
}

std::optional<llvm::ConstantRange> Evolution::rangeOfDistance(const Access &access, llvm::Value &root) {
  llvm::Instruction *there = copyOf(*access.instruction);
  llvm::Value *pointer = there ? llvm::getLoadStorePointerOperand(there) : nullptr;
  llvm::Value *base = &root;
  if (llvm::isa<llvm::AllocaInst>(root)) base = map_.lookup(&root);
  if (!pointer || llvm::isa<llvm::Argument>(root)) return std::nullopt;
  constexpr unsigned kBits = 64, kWide = 2 * kBits;
  llvm::ConstantRange sum(llvm::APInt(kWide, 0));
  while (pointer != base) {
    if (auto *place = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
      llvm::MapVector<llvm::Value *, llvm::APInt> parts;
      llvm::APInt constant(kBits, 0);
      if (!place->collectOffset(copy_->getDataLayout(), kBits, parts, constant)) return std::nullopt;
      sum = sum.add(constant.sext(kWide));
      for (auto &[index, bytes] : parts) {
        const llvm::ConstantRange times = rangeOf(*index, *there).signExtend(kWide);
        sum = sum.add(times.smul_fast(bytes.sext(kWide)));
      }
    }
    llvm::Value *before = withoutOneStep(pointer);
    if (!before) return std::nullopt;
    pointer = before;
  }
  return sum;
}

const SCEV *Evolution::distanceOf(const Access &access, llvm::Value &root) {
  llvm::Instruction *instruction = copyOf(*access.instruction);
  if (!instruction) return nullptr;
  at_ = instruction;
  llvm::Value *pointer = llvm::getLoadStorePointerOperand(instruction);
  if (!pointer) return nullptr;
  auto *argument = llvm::dyn_cast<llvm::Argument>(&root);
  llvm::Value *base = argument ? copy_->getArg(argument->getArgNo()) : &root;
  if (llvm::isa<llvm::AllocaInst>(root)) base = map_.lookup(&root);
  if (!base) return nullptr;
  llvm::Type *number = llvm::Type::getInt64Ty(copy_->getContext());
  const SCEV *address = evolution_->getSCEV(pointer);
  if (!base->getType()->isPointerTy()) {
    // A number for a pointer: what it was made from is followed as a number.
    auto *unknown = llvm::dyn_cast<llvm::SCEVUnknown>(evolution_->getPointerBase(address));
    auto *made = unknown ? llvm::dyn_cast<llvm::IntToPtrInst>(withoutSteps(unknown->getValue())) : nullptr;
    if (!made) return nullptr;
    address = evolution_->getAddExpr(evolution_->removePointerBase(address), evolution_->getSCEV(made->getOperand(0)));
  }
  const SCEV *distance = nullptr;
  const SCEV *made = address->getType()->isPointerTy() ? evolution_->getPointerBase(address) : nullptr;
  auto *from = llvm::dyn_cast_or_null<llvm::SCEVUnknown>(made);
  if (from && machineName(from->getValue()) == "local_arena") {
    // The place of PTX's variable is a part of it.
    distance = evolution_->removePointerBase(address);
    const SCEV *begin = evolution_->getPtrToIntExpr(evolution_->getSCEV(base), number);
    const SCEV *arena = evolution_->getPtrToIntExpr(made, number);
    if (!llvm::isa<llvm::SCEVCouldNotCompute>(begin) && !llvm::isa<llvm::SCEVCouldNotCompute>(arena))
      distance = evolution_->getMinusSCEV(distance, evolution_->getMinusSCEV(begin, arena));
  } else
    distance = evolution_->getMinusSCEV(address, evolution_->getSCEV(base));
  if (llvm::isa<llvm::SCEVCouldNotCompute>(distance)) return nullptr;
  return of_ == Of::Group ? WithoutQuotients(*evolution_).visit(distance) : distance;
}

bool Evolution::placeOf(const Access &access, llvm::Value &root, Place &place) {
  const SCEV *distance = distanceOf(access, root);
  if (!distance) return false;
  llvm::Type *number = llvm::Type::getInt64Ty(copy_->getContext());
  place.rest = evolution_->getZero(number);
  if (!split(distance, evolution_->getOne(number), 64, place)) return false;
  endInBody(*at_, place);
  return true;
}

const SCEV *Evolution::largestId(const llvm::Instruction &instruction, unsigned dimension) {
  const SCEV *largest = nullptr;
  for (const SCEV *limit : limitsOf(instruction, dimension).largest)
    largest = largest ? evolution_->getSMinExpr(largest, limit) : limit;
  return largest;
}

const SCEV *Evolution::smallestId(const llvm::Instruction &instruction, unsigned dimension) {
  const SCEV *smallest = nullptr;
  for (const SCEV *limit : limitsOf(instruction, dimension).smallest)
    smallest = smallest ? evolution_->getSMaxExpr(smallest, limit) : limit;
  return smallest;
}

IdLimits Evolution::limitsOf(const llvm::Instruction &instruction, unsigned dimension) {
  IdLimits limits;
  at_ = copyOf(instruction);
  if (!at_) return limits;
  for (auto *node = dominators_->getNode(at_->getParent()); node && node->getIDom(); node = node->getIDom()) {
    llvm::BasicBlock *before = node->getIDom()->getBlock();
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
    for (unsigned way : {0u, 1u}) {
      const llvm::BasicBlockEdge edge(before, branch->getSuccessor(way));
      if (dominators_->dominates(edge, at_->getParent()))
        addLimits(branch->getCondition(), way == 0, dimension, limits);
    }
  }
  return limits;
}

bool Evolution::isDoneByAll(const llvm::Instruction &instruction) {
  at_ = copyOf(instruction);
  if (!at_) return false;
  const auto isOfItem = [&](const SCEV *one) {
    auto *unknown = llvm::dyn_cast<llvm::SCEVUnknown>(one);
    return unknown && !isOfLaunch(one);
  };
  for (auto *node = dominators_->getNode(at_->getParent()); node && node->getIDom(); node = node->getIDom()) {
    llvm::BasicBlock *before = node->getIDom()->getBlock();
    llvm::Instruction *end = before->getTerminator();
    const bool decides = llvm::any_of(llvm::successors(before), [&](llvm::BasicBlock *next) {
      return dominators_->dominates(llvm::BasicBlockEdge(before, next), at_->getParent());
    });
    if (!decides || end->getNumSuccessors() == 1) continue;
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(end);
    auto *test = branch ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
    if (!test || !test->getOperand(0)->getType()->isIntegerTy()) return false;
    for (llvm::Value *operand : test->operands())
      if (llvm::SCEVExprContains(evolution_->getSCEV(operand), isOfItem)) return false;
  }
  return true;
}

/// What the id is at least and at most where a condition holds, or does not.
void Evolution::addLimits(llvm::Value *condition, bool holds, unsigned dimension, IdLimits &limits) {
  using namespace llvm::PatternMatch;
  using Compare = llvm::CmpInst;
  llvm::Value *first = nullptr, *second = nullptr;
  if (match(condition, m_Not(m_Value(first)))) return addLimits(first, !holds, dimension, limits);
  const bool isBoth = holds ? match(condition, m_LogicalAnd(m_Value(first), m_Value(second)))
                            : match(condition, m_LogicalOr(m_Value(first), m_Value(second)));
  if (isBoth) {
    addLimits(first, holds, dimension, limits);
    return addLimits(second, holds, dimension, limits);
  }
  auto *test = llvm::dyn_cast<llvm::ICmpInst>(condition);
  if (!test || !test->getOperand(0)->getType()->isIntegerTy()) return;
  const auto isId = [&](llvm::Value *value) {
    const SCEV *what = evolution_->getSCEV(value);
    while (auto *cast = llvm::dyn_cast<llvm::SCEVCastExpr>(what)) what = cast->getOperand();
    auto *unknown = llvm::dyn_cast<llvm::SCEVUnknown>(what);
    return unknown && unknown->getValue() == compared_[dimension] &&
           evolution_->getTypeSizeInBits(value->getType()) >= 32;
  };
  Compare::Predicate predicate = holds ? test->getPredicate() : test->getInversePredicate();
  llvm::Value *id = test->getOperand(0), *bound = test->getOperand(1);
  if (!isId(id)) {
    std::swap(id, bound);
    predicate = Compare::getSwappedPredicate(predicate);
  }
  const SCEV *limit = isId(id) ? evolution_->getSCEV(bound) : nullptr;
  if (!limit || !isOfLaunch(limit) || evolution_->getTypeSizeInBits(limit->getType()) > 64) return;
  llvm::Type *wide = llvm::Type::getInt64Ty(copy_->getContext());
  limit = Compare::isSigned(predicate) ? evolution_->getNoopOrSignExtend(limit, wide)
                                       : evolution_->getNoopOrZeroExtend(limit, wide);
  const SCEV *one = evolution_->getOne(wide);
  // Who compares without sign with a number that is below 0 lets all of them pass. Launches are asked about it.
  const auto isNumber = [&] {
    return of_ == Of::Launch || Compare::isSigned(predicate) ||
           evolution_->isKnownPredicateAt(Compare::ICMP_SGE, limit, evolution_->getZero(wide), at_);
  };
  switch (predicate) {
  case Compare::ICMP_SLT:
  case Compare::ICMP_ULT:
    if (isNumber()) limits.largest.push_back(evolution_->getMinusSCEV(limit, one));
    return;
  case Compare::ICMP_SLE:
  case Compare::ICMP_ULE:
    if (isNumber()) limits.largest.push_back(limit);
    return;
  case Compare::ICMP_SGT:
  case Compare::ICMP_UGT:
    limits.smallest.push_back(evolution_->getAddExpr(limit, one));
    return;
  case Compare::ICMP_SGE:
  case Compare::ICMP_UGE:
    limits.smallest.push_back(limit);
    return;
  case Compare::ICMP_EQ:
    if (of_ == Of::Launch) return; // launches are not asked about what few do
    limits.smallest.push_back(limit);
    limits.largest.push_back(limit);
    return;
  default:
    return;
  }
}

/// The same number in the kernel itself.
llvm::Value *Evolution::build(llvm::IRBuilderBase &builder, const SCEV *what) {
  using namespace llvm;
  const auto fold = [&](auto combine) {
    const auto *all = cast<SCEVNAryExpr>(what);
    Value *value = build(builder, all->getOperand(0));
    for (const SCEV *one : drop_begin(all->operands())) value = combine(value, build(builder, one));
    return value;
  };
  const auto pick = [&](Intrinsic::ID which) {
    return fold([&](Value *a, Value *b) { return builder.CreateBinaryIntrinsic(which, a, b); });
  };
  switch (what->getSCEVType()) {
  case scConstant:
    return cast<SCEVConstant>(what)->getValue();
  case scTruncate:
    return builder.CreateTrunc(build(builder, cast<SCEVCastExpr>(what)->getOperand()), what->getType());
  case scZeroExtend:
    return builder.CreateZExt(build(builder, cast<SCEVCastExpr>(what)->getOperand()), what->getType());
  case scSignExtend:
    return builder.CreateSExt(build(builder, cast<SCEVCastExpr>(what)->getOperand()), what->getType());
  case scAddExpr:
    return fold([&](Value *a, Value *b) { return builder.CreateAdd(a, b); });
  case scMulExpr:
    return fold([&](Value *a, Value *b) { return builder.CreateMul(a, b); });
  case scUDivExpr:
    return builder.CreateUDiv(build(builder, cast<SCEVUDivExpr>(what)->getLHS()),
                              build(builder, cast<SCEVUDivExpr>(what)->getRHS()));
  case scUMaxExpr:
    return pick(Intrinsic::umax);
  case scSMaxExpr:
    return pick(Intrinsic::smax);
  case scUMinExpr:
    return pick(Intrinsic::umin);
  case scSMinExpr:
    return pick(Intrinsic::smin);
  default:
    break;
  }
  Value *value = cast<SCEVUnknown>(what)->getValue();
  if (auto *argument = dyn_cast<Argument>(value)) return original_.getArg(argument->getArgNo());
  SmallVector<Value *, 1> operands(cast<CallInst>(value)->args());
  return createMachineCall(builder, machineName(value), value->getType(), operands);
}

/// A local id as what the global one and the work-group's leave, so that a sum of both is the global one again.
void Evolution::unifyQueries() {
  llvm::IRBuilder<> builder(&*copy_->getEntryBlock().getFirstInsertionPt());
  const auto query = [&](const char *name, unsigned dimension) {
    return createMachineCall(builder, name, builder.getInt64Ty(), {builder.getInt32(dimension)});
  };
  const char *const kNames[] = {"global_id",   "group_id", "local_size",
                                "global_size", "local_id", "enqueued_local_size"};
  std::array<llvm::SmallVector<llvm::CallInst *, 8>, std::size(kNames)> calls;
  for (auto [name, all] : llvm::zip(kNames, calls)) all = machineCalls(*copy_, name);
  usesLocalSize_ = !machineCalls(*copy_, "local_size").empty();
  for (unsigned dimension = 0; dimension < kDimensions; ++dimension) {
    ids_[dimension] = compared_[dimension] = query("global_id", dimension);
    const uint32_t known = specialization_ ? specialization_->localSize[dimension] : 0;
    llvm::Value *group = groups_[dimension] = query("group_id", dimension);
    llvm::Value *size = builder.getInt64(known);
    if (known == 0) size = query("enqueued_local_size", dimension);
    llvm::Value *offset = query("global_offset", dimension);
    llvm::Value *items = query("global_size", dimension);
    llvm::Value *local = builder.CreateSub(builder.CreateSub(ids_[dimension], offset), builder.CreateMul(group, size));
    llvm::Value *const one[] = {ids_[dimension], group, size, items, local, size};
    for (auto [all, value] : llvm::zip(calls, one))
      for (llvm::CallInst *call : all)
        if (queryDimension(*call) == dimension) call->replaceAllUsesWith(value);
  }
}

/// What an inner loop adds to a number that an outer one carries, as one addition: scalar evolution knows the number
/// then.
bool Evolution::countThroughLoops() {
  bool changed = false;
  for (llvm::Loop *loop : llvm::reverse(loops_->getLoopsInPreorder())) {
    llvm::BasicBlock *latch = loop->getLoopLatch();
    if (!latch || loop->isInnermost()) continue;
    for (llvm::PHINode &phi : loop->getHeader()->phis()) {
      auto *next = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValueForBlock(latch));
      if (!next || !phi.getType()->isIntegerTy() || loops_->getLoopFor(next->getParent()) == loop) continue;
      const SCEV *before = evolution_->getSCEV(&phi);
      const SCEV *after = evolution_->getSCEVAtScope(next, loop);
      auto *added = llvm::dyn_cast<llvm::SCEVConstant>(evolution_->getMinusSCEV(after, before));
      if (!added || llvm::isa<llvm::SCEVAddRecExpr>(before)) continue;
      phi.setIncomingValueForBlock(latch, llvm::IRBuilder<>(latch->getTerminator()).CreateAdd(&phi, added->getValue()));
      evolution_->forgetLoop(loop);
      changed = true;
    }
  }
  return changed;
}

/// A number that is not below 0 as one without sign: of halves of those, and of what they leave, scalar evolution knows
/// what they are at most.
bool Evolution::divideWithoutSign() {
  using namespace llvm::PatternMatch;
  bool changed = false;
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(*copy_))) {
    const llvm::APInt *by = nullptr;
    llvm::Value *what = nullptr;
    const bool isRest = match(&instruction, m_SRem(m_Value(what), m_APInt(by)));
    if (!isRest && !match(&instruction, m_SDiv(m_Value(what), m_APInt(by)))) continue;
    if (!by->isStrictlyPositive() || !evolution_->isKnownNonNegative(evolution_->getSCEV(what))) continue;
    llvm::IRBuilder<> there(&instruction);
    llvm::Value *number = there.getInt(*by);
    if (by->isPowerOf2())
      number = isRest ? there.CreateAnd(what, *by - 1) : there.CreateLShr(what, by->logBase2());
    else
      number = isRest ? there.CreateURem(what, number) : there.CreateUDiv(what, number);
    instruction.replaceAllUsesWith(number);
    evolution_->forgetValue(&instruction);
    instruction.eraseFromParent();
    changed = true;
  }
  return changed;
}

/// A global id as what the group and the local one make, one beginning of local memory, and sizes that are known.
void Evolution::unifyLocalQueries() {
  llvm::IRBuilder<> builder(&*copy_->getEntryBlock().getFirstInsertionPt());
  // A halved number is at most what it was: of shifts scalar evolution knows it.
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(*copy_))) {
    const llvm::APInt *by = nullptr;
    llvm::Value *what = nullptr;
    using namespace llvm::PatternMatch;
    if (!match(&instruction, m_UDiv(m_Value(what), m_Power2(by)))) continue;
    llvm::IRBuilder<> there(&instruction);
    instruction.replaceAllUsesWith(there.CreateLShr(what, by->logBase2()));
    instruction.eraseFromParent();
  }
  const llvm::SmallVector<llvm::CallInst *, 8> arenas = machineCalls(*copy_, "local_arena");
  if (!arenas.empty()) {
    llvm::Value *arena = createMachineCall(builder, "local_arena", arenas.front()->getType());
    for (llvm::CallInst *call : arenas) call->replaceAllUsesWith(arena);
  }
  std::array<llvm::SmallVector<llvm::CallInst *, 8>, 2> calls{machineCalls(*copy_, "local_id"),
                                                              machineCalls(*copy_, "global_id")};
  for (unsigned dimension = 0; dimension < kDimensions; ++dimension) {
    const auto query = [&](const char *name) {
      return createMachineCall(builder, name, builder.getInt64Ty(), {builder.getInt32(dimension)});
    };
    auto *id = llvm::cast<llvm::CallInst>(query("local_id"));
    ids_[dimension] = compared_[dimension] = id;
    if (const uint32_t size = specialization_ ? specialization_->localSize[dimension] : 0) {
      llvm::MDBuilder range(copy_->getContext());
      id->setMetadata(llvm::LLVMContext::MD_range, range.createRange(llvm::APInt(64, 0), llvm::APInt(64, size)));
      for (const char *name : {"local_size", "enqueued_local_size"})
        for (llvm::CallInst *call : machineCalls(*copy_, name))
          if (queryDimension(*call) == dimension && !(specialization_->ragged && machineName(call) == "local_size"))
            call->replaceAllUsesWith(builder.getInt64(size));
    }
    llvm::Value *begin =
        builder.CreateAdd(query("global_offset"), builder.CreateMul(query("group_id"), query("enqueued_local_size")));
    llvm::Value *const one[] = {ids_[dimension], builder.CreateAdd(begin, ids_[dimension])};
    for (auto [all, value] : llvm::zip(calls, one))
      for (llvm::CallInst *call : all)
        if (queryDimension(*call) == dimension) call->replaceAllUsesWith(value);
  }
}

/// One name for each.
void Evolution::unifyGroupQueries() {
  llvm::IRBuilder<> builder(&*copy_->getEntryBlock().getFirstInsertionPt());
  const auto unify = [&](const char *name, llvm::Value *(&ids)[kDimensions]) {
    const llvm::SmallVector<llvm::CallInst *, 8> calls = machineCalls(*copy_, name);
    for (unsigned dimension = 0; dimension < kDimensions; ++dimension) {
      ids[dimension] = createMachineCall(builder, name, builder.getInt64Ty(), {builder.getInt32(dimension)});
      for (llvm::CallInst *call : calls)
        if (queryDimension(*call) == dimension) call->replaceAllUsesWith(ids[dimension]);
    }
  };
  unify("group_id", ids_);
  unify("local_id", compared_);
}

bool Evolution::isOfLaunch(const SCEV *what) {
  const bool isOfGroup = of_ == Of::Group;
  const auto changes = [&](const SCEV *one) {
    if (auto *unknown = llvm::dyn_cast<llvm::SCEVUnknown>(one)) {
      llvm::Value *value = unknown->getValue();
      if (llvm::isa<llvm::Argument>(value) || isQuery(value, of_)) return false;
      if (isOfGroup && llvm::isa<llvm::GlobalVariable>(value)) return false;
      auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
      return !(isSame_ && instruction && isSame_(instruction, *instruction->getParent()));
    }
    if (auto *loop = llvm::dyn_cast<llvm::SCEVAddRecExpr>(one))
      return !(isSame_ && isSame_(nullptr, *loop->getLoop()->getHeader()));
    if (auto *quotient = llvm::dyn_cast<llvm::SCEVUDivExpr>(one))
      return !isOfGroup && !llvm::isa<llvm::SCEVConstant>(quotient->getRHS()); // it might be 0
    // What nobody builds.
    return !isOfGroup && llvm::isa<llvm::SCEVPtrToIntExpr, llvm::SCEVVScale, llvm::SCEVSequentialUMinExpr>(one);
  };
  return !llvm::SCEVExprContains(what, changes);
}

/// What a longer number is as a sum, or as a product, of longer ones; null: it may wrap where it is shorter.
const SCEV *Evolution::widened(const llvm::SCEVCastExpr &cast) {
  using namespace llvm;
  ScalarEvolution &all = *evolution_;
  const bool isSigned = isa<SCEVSignExtendExpr>(cast);
  auto *parts = dyn_cast<SCEVCommutativeExpr>(cast.getOperand());
  if ((!isSigned && !isa<SCEVZeroExtendExpr>(cast)) || !parts || !isa<SCEVAddExpr, SCEVMulExpr>(parts)) return nullptr;
  const unsigned bits = unsigned(all.getTypeSizeInBits(parts->getType())), enough = bits * 2 + 8;
  if (bits > 64) return nullptr;
  const auto extend = [&](const SCEV *one) {
    return isSigned ? all.getSignExtendExpr(one, cast.getType()) : all.getZeroExtendExpr(one, cast.getType());
  };
  const auto rangeOf = [&](const SCEV *one) {
    return isSigned ? all.getSignedRange(one).signExtend(enough) : all.getUnsignedRange(one).zeroExtend(enough);
  };
  const auto fits = [&](const ConstantRange &range) {
    const ConstantRange full(bits, /*isFullSet=*/true);
    return (isSigned ? full.signExtend(enough) : full.zeroExtend(enough)).contains(range);
  };
  SmallVector<const SCEV *, 4> longer;
  if (isa<SCEVMulExpr>(parts)) {
    ConstantRange product(APInt(enough, 1));
    for (const SCEV *one : parts->operands()) {
      product = product.smul_fast(rangeOf(one));
      if (!fits(product)) return nullptr;
      longer.push_back(extend(one));
    }
    return all.getMulExpr(longer);
  }
  // Without sign, what is taken away has to be there.
  SmallVector<const SCEV *, 4> added, taken;
  for (const SCEV *one : parts->operands()) {
    auto *scaled = dyn_cast<SCEVMulExpr>(one);
    auto *factor = dyn_cast<SCEVConstant>(scaled ? scaled->getOperand(0) : one);
    const bool isTaken = !isSigned && factor && factor->getAPInt().isNegative();
    (isTaken ? taken : added).push_back(isTaken ? all.getNegativeSCEV(one) : one);
  }
  const auto sumFits = [&](ArrayRef<const SCEV *> terms) {
    ConstantRange sum(APInt(enough, 0));
    for (const SCEV *one : terms) sum = sum.add(rangeOf(one));
    return fits(sum);
  };
  if (added.empty() || !sumFits(added) || !sumFits(taken)) return nullptr;
  for (const SCEV *one : added) longer.push_back(extend(one));
  if (!taken.empty()) {
    SmallVector<const SCEV *, 4> more(added);
    const SCEV *sum = all.getAddExpr(more);
    more.assign(taken.begin(), taken.end());
    if (!all.isKnownPredicateAt(ICmpInst::ICMP_UGE, sum, all.getAddExpr(more), at_)) return nullptr;
    for (const SCEV *one : taken) longer.push_back(all.getNegativeSCEV(extend(one)));
  }
  return all.getAddExpr(longer);
}

const SCEV *Evolution::times(const SCEV *factor, const SCEV *one) {
  return evolution_->getMulExpr(factor, evolution_->getNoopOrSignExtend(one, factor->getType()));
}

/// The largest number of a loop that goes on while it is below a limit; null: it is another loop.
const SCEV *Evolution::largestOf(const llvm::SCEVAddRecExpr &number) {
  using namespace llvm;
  SmallVector<BasicBlock *, 4> exits;
  number.getLoop()->getExitingBlocks(exits);
  for (BasicBlock *block : exits) {
    auto *branch = dyn_cast<BranchInst>(block->getTerminator());
    auto *test = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
    if (!test) continue;
    // The number itself, or the next one: its first one is none of the loop's doing.
    const SCEV *tested = evolution_->getSCEV(test->getOperand(0));
    if (tested != &number && tested != number.getPostIncExpr(*evolution_)) continue;
    const bool stays = number.getLoop()->contains(branch->getSuccessor(0));
    const CmpInst::Predicate predicate = stays ? test->getPredicate() : test->getInversePredicate();
    const SCEV *limit = evolution_->getSCEV(test->getOperand(1));
    if ((predicate != CmpInst::ICMP_SLT && predicate != CmpInst::ICMP_ULT) || !isOfLaunch(limit)) continue;
    Type *wide = Type::getInt64Ty(copy_->getContext());
    return evolution_->getAddExpr(evolution_->getNoopOrSignExtend(limit, wide),
                                  evolution_->getNoopOrSignExtend(number.getStepRecurrence(*evolution_), wide));
  }
  return nullptr;
}

/// What a number is at least and at most, by what it was clamped to, or by the bits that were cut out of it. That a
/// number was read from memory says nothing: tables are as long as what is there needs.
Evolution::Bounds Evolution::boundsOf(const SCEV *what) {
  using namespace llvm;
  ScalarEvolution &all = *evolution_;
  Type *wide = Type::getInt64Ty(copy_->getContext());
  if (isOfLaunch(what)) {
    const SCEV *same = all.getNoopOrSignExtend(what, wide);
    return {same, same};
  }
  if (auto *longer = dyn_cast<SCEVSignExtendExpr>(what)) return boundsOf(longer->getOperand());
  auto *longer = dyn_cast<SCEVZeroExtendExpr>(what);
  const SCEV *from = longer ? longer->getOperand() : what;
  if (auto *least = dyn_cast<SCEVUMinExpr>(from); least && what->getType() == wide) {
    Bounds bounds{all.getZero(wide), nullptr};
    for (const SCEV *one : least->operands()) {
      if (!isOfLaunch(one)) continue;
      const SCEV *high = all.getNoopOrZeroExtend(one, wide);
      bounds.high = bounds.high ? all.getUMinExpr(bounds.high, high) : high;
    }
    return bounds;
  }
  if (longer && all.isKnownNonNegative(from)) return boundsOf(from);
  if (isa<SCEVSMinExpr, SCEVSMaxExpr>(what)) return boundsOfChoice(*cast<SCEVMinMaxExpr>(what));
  const ConstantRange range = all.getSignedRange(what);
  constexpr unsigned kMostBits = 24;
  const bool isCut = (longer && isa<SCEVTruncateExpr>(from)) || isa<SCEVUDivExpr>(from) ||
                     (isa<SCEVUnknown>(from) && !all.getUnsignedRange(from).isFullSet());
  if (!isCut || range.getMinSignedBits() > kMostBits) return {};
  return {all.getConstant(range.getSignedMin().sextOrTrunc(64)), all.getConstant(range.getSignedMax().sextOrTrunc(64))};
}

/// The least of some numbers is at most what each of them is at most, and at least what all are at least.
Evolution::Bounds Evolution::boundsOfChoice(const llvm::SCEVMinMaxExpr &choice) {
  const bool isLeast = llvm::isa<llvm::SCEVSMinExpr>(choice);
  const auto choose = [&](const SCEV *one, const SCEV *other) {
    if (!one || !other) return one ? one : other;
    return isLeast ? evolution_->getSMinExpr(one, other) : evolution_->getSMaxExpr(one, other);
  };
  Bounds bounds;
  bool areAllKnown = true; // at the side that every one of them decides
  for (const SCEV *one : choice.operands()) {
    const Bounds its = boundsOf(one);
    bounds = {choose(bounds.low, its.low), choose(bounds.high, its.high)};
    areAllKnown &= (isLeast ? its.low : its.high) != nullptr;
  }
  if (!areAllKnown) (isLeast ? bounds.low : bounds.high) = nullptr;
  return bounds;
}

/// Adds `factor` times `what` to the place; it is a part of a number of so many bits.
bool Evolution::split(const SCEV *what, const SCEV *factor, unsigned bits, Place &place) {
  if (!acceptsBounds_) return splitExactly(what, factor, bits, place);
  const Place before = place;
  // As a sum of what is known exactly, if it is one; else the whole of it by its bounds, or each part of it.
  acceptsBounds_ = false;
  const bool isExact = splitExactly(what, factor, bits, place);
  acceptsBounds_ = true;
  if (isExact) return true;
  place = before;
  const Bounds bounds = what->getType()->isPointerTy() ? Bounds() : boundsOf(what);
  if (!bounds.low || !bounds.high) return splitExactly(what, factor, bits, place);
  const SCEV *first = evolution_->getMulExpr(factor, bounds.low);
  place.rest = evolution_->getAddExpr(place.rest, first);
  if (bits < 64) place.narrowRest.push_back(first);
  place.repetitions.push_back({factor, evolution_->getMinusSCEV(bounds.high, bounds.low), bits, nullptr, nullptr});
  return true;
}

bool Evolution::splitExactly(const SCEV *what, const SCEV *factor, unsigned bits, Place &place) {
  using namespace llvm;
  ScalarEvolution &all = *evolution_;
  if (what->getType()->isPointerTy() || all.getTypeSizeInBits(what->getType()) > 64) return false;
  if (isOfLaunch(what)) {
    place.rest = all.getAddExpr(place.rest, times(factor, what));
    if (bits < 64) place.narrowRest.push_back(times(factor, what));
    return true;
  }
  if (auto *sum = dyn_cast<SCEVAddExpr>(what))
    return all_of(sum->operands(), [&](const SCEV *one) { return split(one, factor, bits, place); });
  if (auto *product = dyn_cast<SCEVMulExpr>(what)) {
    const SCEV *varying = nullptr;
    for (const SCEV *one : product->operands()) {
      if (isOfLaunch(one))
        factor = times(factor, one);
      else if (varying)
        return false;
      else
        varying = one;
    }
    return split(varying, factor, bits, place);
  }
  if (isa<SCEVTruncateExpr, SCEVSignExtendExpr, SCEVZeroExtendExpr>(what)) {
    if (const SCEV *longer = of_ == Of::Group ? widened(*cast<SCEVCastExpr>(what)) : nullptr)
      return split(longer, factor, bits, place);
    const SCEV *from = cast<SCEVCastExpr>(what)->getOperand();
    if (acceptsBounds_ && isa<SCEVZeroExtendExpr>(what)) return false; // what is below 0 may be within bounds there
    auto *cut = dyn_cast<SCEVTruncateExpr>(from);
    if (isa<SCEVZeroExtendExpr>(what) && !isa<SCEVUnknown>(cut ? cut->getOperand() : from))
      place.extendsUnsigned = true;
    for (const SCEV *one : {what, from}) bits = std::min(bits, unsigned(all.getTypeSizeInBits(one->getType())));
    if (bits < 8) return false;
    place.modulus = std::min(place.modulus, bits);
    return split(from, factor, bits, place);
  }
  if (auto *loop = dyn_cast<SCEVAddRecExpr>(what)) {
    if (!loop->isAffine() || !isOfLaunch(loop->getStepRecurrence(all))) return false;
    const SCEV *last = all.getBackedgeTakenCount(loop->getLoop());
    const bool isKnown =
        !isa<SCEVCouldNotCompute>(last) && isOfLaunch(last) && all.getTypeSizeInBits(last->getType()) <= 64;
    if (isKnown) last = all.getNoopOrZeroExtend(last, factor->getType());
    place.repetitions.push_back({times(factor, loop->getStepRecurrence(all)), isKnown ? last : nullptr, bits,
                                 isKnown ? nullptr : largestOf(*loop), loop->getLoop()});
    return split(loop->getStart(), factor, bits, place);
  }
  auto *unknown = dyn_cast<SCEVUnknown>(what);
  for (unsigned dimension = 0; unknown && dimension < kDimensions; ++dimension)
    for (const bool isGroup : {false, true}) {
      if (unknown->getValue() != (isGroup ? groups_ : ids_)[dimension]) continue;
      const SCEV *&step = (isGroup ? place.groupSteps : place.steps)[dimension];
      step = step ? all.getAddExpr(step, factor) : factor;
      if (step->isZero()) step = nullptr;
      place.bits = std::min(place.bits, bits);
      return true;
    }
  return false;
}

bool Evolution::isInBody(const llvm::Instruction &there, const llvm::Loop &loop) const {
  const llvm::BasicBlock *exit = loop.getExitingBlock();
  return exit && exit != there.getParent() && loop.contains(there.getParent()) &&
         dominators_->dominates(exit, there.getParent());
}

/// A loop that is left at its head is gone through once less than it is entered there.
void Evolution::endInBody(const llvm::Instruction &access, Place &place) {
  llvm::Type *number = llvm::Type::getInt64Ty(copy_->getContext());
  for (Repetition &one : place.repetitions) {
    if (!one.last || !one.loop || !isInBody(access, *one.loop)) continue;
    const SCEV *before = evolution_->getMinusSCEV(one.last, evolution_->getOne(number));
    one.last = evolution_->getSMaxExpr(before, evolution_->getZero(number));
  }
}

} // namespace us::codegen
