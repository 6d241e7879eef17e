// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the work-items of a group go by one access.
#pragma once

#include "emulator/codegen/instrument/affine_places.h"

#include <optional>

namespace us::codegen {

/// In what is the same for all that do it (Evolution::setSame), and by local ids.
struct PlaceOfItems {
  Place place;
  uint64_t bytes = 0;
  IdLimits limits[kDimensions]; ///< of those that do it
  const llvm::Instruction *at = nullptr;
};

/// By one choice of limits from the first byte that any of them may touch up to before the last one.
struct Reach {
  const llvm::SCEV *begin, *end;
};
using Reaches = llvm::SmallVector<Reach, 4>;

/// Of an access to what `root` points to; none: it is none of the kind. `evolution`: Of::Group.
std::optional<PlaceOfItems> placeOfItems(Evolution &evolution, const Access &access, llvm::Value &root);

/// For a group of a constant size. Several, all of which hold; none where nothing is known.
Reaches reachesOf(Evolution &evolution, const abi::Specialization &specialization, const PlaceOfItems &items);

} // namespace us::codegen
