// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/local_ranges.h"

#include "emulator/codegen/machine_calls.h"

namespace us::codegen {

using llvm::SCEV;

namespace {

constexpr uint64_t kMost = uint64_t(1) << 20; ///< more than local memory has

} // namespace

LocalRanges::LocalRanges(llvm::Function &kernel, const abi::Specialization &specialization)
    : specialization_(specialization), evolution_(kernel, Evolution::Of::Group, &specialization) {
  // Each work-item is looked at by itself: whatever it has is the same for all that are looked at.
  evolution_.setSame(
      [](llvm::Instruction *value, llvm::BasicBlock &) { return value && machineName(value) != "local_id"; });
}

std::optional<uint64_t> LocalRanges::bytesFor(const Access &access, llvm::Value &root) {
  const std::optional<uint64_t> known = bytesBySteps(access, root);
  return known ? known : bytesByNumber(access, root);
}

/// By what all work-items together reach.
std::optional<uint64_t> LocalRanges::bytesBySteps(const Access &access, llvm::Value &root) {
  const std::optional<PlaceOfItems> items = placeOfItems(evolution_, access, root);
  if (!items || items->place.modulus < 64) return std::nullopt;
  llvm::ScalarEvolution &all = evolution_.scalars();
  bool isBehindBegin = false;
  uint64_t least = kMost + 1;
  for (const Reach &reach : reachesOf(evolution_, specialization_, *items)) {
    isBehindBegin |= all.getSignedRangeMin(reach.begin).isNonNegative();
    const llvm::APInt end = all.getSignedRangeMax(reach.end);
    if (end.isNonNegative()) least = std::min(least, end.getLimitedValue());
  }
  if (!isBehindBegin || least > kMost) return std::nullopt;
  return least;
}

/// By what each number that it is made of may be.
std::optional<uint64_t> LocalRanges::bytesByNumber(const Access &access, llvm::Value &root) {
  auto *bytes = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
  const std::optional<llvm::ConstantRange> distance = evolution_.rangeOfDistance(access, root);
  if (!bytes || !distance || distance->getSignedMin().isNegative() || distance->getSignedMax().ugt(kMost))
    return std::nullopt;
  return distance->getSignedMax().getZExtValue() + bytes->getZExtValue();
}

bool LocalRanges::isMadeByAll(const Access &access, llvm::Value &root) {
  const std::optional<PlaceOfItems> items = placeOfItems(evolution_, access, root);
  if (!items || !llvm::isa<llvm::SCEVConstant>(items->place.rest) || !items->place.repetitions.empty()) return false;
  for (auto *node = evolution_.dominators().getNode(items->at->getParent())->getIDom(); node; node = node->getIDom())
    if (!node->getBlock()->getSingleSuccessor()) return false;
  return true;
}

bool LocalRanges::isBelow(const Access &access, llvm::Value *index, uint64_t elements) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(index);
  llvm::Instruction *there = evolution_.copyOf(*access.instruction);
  llvm::Instruction *its = instruction ? evolution_.copyOf(*instruction) : nullptr;
  if (!there || !its || !evolution_.scalars().isSCEVable(its->getType())) return false;
  llvm::ScalarEvolution &all = evolution_.scalars();
  const llvm::ConstantRange range = evolution_.rangeOf(*its, *there);
  if (!range.getSignedMin().isNegative() && range.getSignedMax().ult(elements)) return true;
  const llvm::SCEV *number = all.getSCEV(its);
  return all.isKnownPredicateAt(llvm::ICmpInst::ICMP_ULT, number, all.getConstant(its->getType(), elements), there);
}

} // namespace us::codegen
