// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/apart_places.h"

#include <llvm/ADT/STLExtras.h>

namespace us::codegen {

using llvm::APInt;
using llvm::SCEV;

namespace {

constexpr unsigned kBits = 64; // of places

/// The same modulo 2^32, as a sum of whole numbers: `1 - w` of 32 bits, made longer, is 1 and less `w` made longer.
class Modulo : public llvm::SCEVRewriteVisitor<Modulo> {
public:
  explicit Modulo(llvm::ScalarEvolution &all) : SCEVRewriteVisitor(all) {}
  const SCEV *visitZeroExtendExpr(const llvm::SCEVZeroExtendExpr *cast) { return longer(cast->getOperand(), cast); }
  const SCEV *visitSignExtendExpr(const llvm::SCEVSignExtendExpr *cast) { return longer(cast->getOperand(), cast); }

private:
  const SCEV *longer(const SCEV *what, const SCEV *cast) {
    llvm::Type *type = cast->getType();
    if (SE.getTypeSizeInBits(what->getType()) < 32) return cast;
    llvm::SmallVector<const SCEV *, 4> parts;
    if (auto *sum = llvm::dyn_cast<llvm::SCEVAddExpr>(what)) {
      for (const SCEV *one : sum->operands()) parts.push_back(longer(one, SE.getZeroExtendExpr(one, type)));
      return SE.getAddExpr(parts);
    }
    if (auto *product = llvm::dyn_cast<llvm::SCEVMulExpr>(what)) {
      for (const SCEV *one : product->operands()) parts.push_back(longer(one, SE.getZeroExtendExpr(one, type)));
      return SE.getMulExpr(parts);
    }
    if (auto *number = llvm::dyn_cast<llvm::SCEVConstant>(what))
      return SE.getConstant(number->getAPInt().sext(unsigned(SE.getTypeSizeInBits(type))));
    return SE.getZeroExtendExpr(what, type);
  }
};

/// As an APInt that sums of a few do not overflow.
APInt wide(const APInt &number) { return number.sext(kBits * 2); }

} // namespace

bool ApartPlaces::areApart(const PlaceOfItems &one, const PlaceOfItems &other) {
  if (areOfOneItem(one, other) || hasEachItsOwn(one, other)) return true;
  const Reaches its = reachesOf(one), others = reachesOf(other);
  const unsigned modulus = std::min(one.place.modulus, other.place.modulus);
  return isBehind(one, its, other, others) || isBehind(other, others, one, its) ||
         areOfOtherBlocks(its, others, modulus);
}

/// By what is compared, only one work-item does either.
bool ApartPlaces::areOfOneItem(const PlaceOfItems &one, const PlaceOfItems &other) const {
  for (unsigned dimension = 0; dimension < kDimensions; ++dimension) {
    if (specialization_.localSize[dimension] == 1) continue;
    const IdLimits &its = one.limits[dimension], &others = other.limits[dimension];
    const bool isOne = llvm::any_of(its.smallest, [&](const SCEV *id) {
      return llvm::is_contained(its.largest, id) && llvm::is_contained(others.smallest, id) &&
             llvm::is_contained(others.largest, id);
    });
    if (!isOne) return false;
  }
  return true;
}

/// Each has parts of so many bytes, the same distance apart: each step is longer than all that the smaller ones reach.
bool ApartPlaces::hasEachItsOwn(const PlaceOfItems &one, const PlaceOfItems &other) const {
  auto *distance = llvm::dyn_cast<llvm::SCEVConstant>(all_.getMinusSCEV(other.place.rest, one.place.rest));
  if (!distance || !std::equal(one.place.steps, one.place.steps + kDimensions, other.place.steps)) return false;
  const APInt from = wide(distance->getAPInt()), zero(kBits * 2, 0);
  const APInt begin = llvm::APIntOps::smin(zero, from);
  const APInt end = llvm::APIntOps::smax(zero + one.bytes, from + other.bytes);
  llvm::SmallVector<std::pair<uint64_t, uint64_t>, kDimensions> steps; // and how often
  for (unsigned dimension = 0; dimension < kDimensions; ++dimension) {
    if (specialization_.localSize[dimension] == 1) continue;
    auto *step = llvm::dyn_cast_or_null<llvm::SCEVConstant>(one.place.steps[dimension]);
    if (!step) return false;
    steps.emplace_back(step->getAPInt().abs().getLimitedValue(), specialization_.localSize[dimension] - 1);
  }
  // What a work-item does again and again is further on each time. What both do in the same way is counted once.
  unsigned bits = std::min({one.place.bits, other.place.bits, 32u});
  llvm::SmallVector<Repetition, 4> again(llvm::ArrayRef(one.place.repetitions)),
      more(llvm::ArrayRef(other.place.repetitions));
  for (const Repetition &its : one.place.repetitions)
    if (auto *same = llvm::find_if(
            more, [&](const Repetition &second) { return second.step == its.step && second.last == its.last; });
        same != more.end()) {
      bits = std::min(bits, same->bits);
      more.erase(same);
    }
  again.append(more);
  for (const Repetition &its : again) {
    auto *step = llvm::dyn_cast<llvm::SCEVConstant>(its.step);
    auto *last = llvm::dyn_cast_or_null<llvm::SCEVConstant>(its.last);
    if (!step || !last || last->getAPInt().ugt(UINT32_MAX)) return false;
    bits = std::min(bits, its.bits);
    steps.emplace_back(step->getAPInt().abs().getLimitedValue(), last->getAPInt().getZExtValue());
  }
  llvm::sort(steps);
  uint64_t reach = (end - begin).getLimitedValue();
  for (const auto &[step, last] : steps) {
    if (step < reach || step > UINT32_MAX) return false;
    reach += step * last;
  }
  return reach < uint64_t(1) << (bits - 2);
}

/// Bytes of a reach, at most, if there are any.
APInt ApartPlaces::longest(const Reach &reach) const {
  const APInt most = all_.getSignedRangeMax(all_.getMinusSCEV(reach.end, reach.begin));
  return wide(most.isNegative() ? APInt(kBits, 0) : most);
}

/// All of the second access is behind all of the first one, and not so far that numbers wrap.
bool ApartPlaces::isBehind(const PlaceOfItems &first, const Reaches &low, const PlaceOfItems &second,
                           const Reaches &high) const {
  const SCEV *zero = all_.getZero(llvm::Type::getInt64Ty(evolution_.copy().getContext()));
  const APInt most = APInt::getOneBitSet(kBits * 2, std::min({first.place.modulus, second.place.modulus, kBits - 2}));
  for (const Reach &one : low)
    for (const Reach &other : high) {
      const SCEV *between = all_.getMinusSCEV(other.begin, one.end);
      if ((longest(one) + longest({zero, between}) + longest(other)).sgt(most)) continue;
      for (const llvm::Instruction *at : {first.at, second.at})
        if (all_.isKnownPredicateAt(llvm::ICmpInst::ICMP_SGE, between, zero, at)) return true;
    }
  return false;
}

/// They lie in different parts of blocks of 2^n bytes, wherever these blocks are: `buffer[w]` and `buffer[1 - w]`.
bool ApartPlaces::areOfOtherBlocks(const Reaches &one, const Reaches &other, unsigned modulus) const {
  Modulo modulo(all_);
  for (const Reach &its : one)
    for (const Reach &others : other) {
      const SCEV *distance = modulo.visit(all_.getMinusSCEV(others.begin, its.begin));
      auto *sum = llvm::dyn_cast<llvm::SCEVAddExpr>(distance);
      auto *constant = llvm::dyn_cast<llvm::SCEVConstant>(sum ? sum->getOperand(0) : distance);
      if (!constant) continue;
      const unsigned zeros = unsigned(all_.getMinTrailingZeros(all_.getMinusSCEV(distance, constant)));
      const unsigned bits = std::min({zeros, modulus, 32u});
      const APInt block = APInt::getOneBitSet(kBits * 2, bits);
      const APInt from = constant->getAPInt().getLoBits(bits).zext(kBits * 2);
      if (from.sge(longest(its)) && (from + longest(others)).sle(block)) return true;
    }
  return false;
}

} // namespace us::codegen
