// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/place_of_items.h"

namespace us::codegen {

using llvm::SCEV;

std::optional<PlaceOfItems> placeOfItems(Evolution &evolution, const Access &access, llvm::Value &root) {
  auto *size = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
  PlaceOfItems items;
  items.at = evolution.copyOf(*access.instruction);
  if (!size || !items.at || !evolution.placeOf(access, root, items.place)) return std::nullopt;
  items.bytes = size->getZExtValue();
  for (unsigned dimension = 0; dimension < kDimensions; ++dimension)
    items.limits[dimension] = evolution.limitsOf(*access.instruction, dimension);
  return items;
}

Reaches reachesOf(Evolution &evolution, const abi::Specialization &specialization, const PlaceOfItems &items) {
  llvm::ScalarEvolution &all = evolution.scalars();
  llvm::Type *number = llvm::Type::getInt64Ty(evolution.copy().getContext());
  Reaches reaches{{items.place.rest, all.getAddExpr(items.place.rest, all.getConstant(number, items.bytes))}};
  for (const Repetition &one : items.place.repetitions) {
    auto *step = llvm::dyn_cast<llvm::SCEVConstant>(one.step);
    if (!step || !one.last) return {};
    const SCEV *further = all.getMulExpr(step, one.last);
    for (Reach &reach : reaches) {
      const SCEV *&end = step->getAPInt().isNegative() ? reach.begin : reach.end;
      end = all.getAddExpr(end, further);
    }
  }
  for (unsigned dimension = 0; dimension < kDimensions; ++dimension) {
    const uint32_t size = specialization.localSize[dimension];
    const SCEV *step = items.place.steps[dimension];
    if (size == 1 || !step) continue;
    auto *constant = llvm::dyn_cast<llvm::SCEVConstant>(step);
    if (!constant) return {};
    constexpr size_t kMost = 3; // limits: of more than that none is the one
    llvm::SmallVector<const SCEV *, kMost> smallest{all.getZero(number)}, largest{all.getConstant(number, size - 1)};
    for (const SCEV *one : llvm::ArrayRef(items.limits[dimension].smallest).take_front(kMost - 1))
      smallest.push_back(one);
    for (const SCEV *one : llvm::ArrayRef(items.limits[dimension].largest).take_front(kMost - 1))
      largest.push_back(one);
    const bool isUp = !constant->getAPInt().isNegative();
    Reaches further;
    for (const Reach &reach : reaches)
      for (const SCEV *low : smallest)
        for (const SCEV *high : largest)
          further.push_back({all.getAddExpr(reach.begin, all.getMulExpr(step, isUp ? low : high)),
                             all.getAddExpr(reach.end, all.getMulExpr(step, isUp ? high : low))});
    reaches = std::move(further);
  }
  return reaches;
}

} // namespace us::codegen
