// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether different work-items of a group go to different bytes.
#pragma once

#include "emulator/codegen/instrument/place_of_items.h"

namespace us::codegen {

/// For groups of a constant size, and values that are the same for all of a group (Evolution::setSame).
class ApartPlaces {
public:
  ApartPlaces(Evolution &evolution, const abi::Specialization &specialization)
      : evolution_(evolution), all_(evolution.scalars()), specialization_(specialization) {}
  /// What one work-item touches by the first access no other one touches by the second. Both go to the same memory, and
  /// may be the same access.
  bool areApart(const PlaceOfItems &one, const PlaceOfItems &other);

private:
  Reaches reachesOf(const PlaceOfItems &items) const {
    return us::codegen::reachesOf(evolution_, specialization_, items);
  }
  bool areOfOneItem(const PlaceOfItems &one, const PlaceOfItems &other) const;
  bool hasEachItsOwn(const PlaceOfItems &one, const PlaceOfItems &other) const;
  bool isBehind(const PlaceOfItems &first, const Reaches &low, const PlaceOfItems &second, const Reaches &high) const;
  bool areOfOtherBlocks(const Reaches &one, const Reaches &other, unsigned modulus) const;
  llvm::APInt longest(const Reach &reach) const;

  Evolution &evolution_;
  llvm::ScalarEvolution &all_;
  const abi::Specialization &specialization_;
};

} // namespace us::codegen
