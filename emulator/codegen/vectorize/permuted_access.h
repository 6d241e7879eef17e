// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of what lies side by side in another order: the place of each work-item is its own number's, some of whose
// bits all work-items turn over alike ("id ^ distance"). A sorting network, a butterfly and a shuffle do that.
#pragma once

#include "emulator/codegen/vectorize/shapes.h"

#include <llvm/IR/Instructions.h>

#include <optional>

namespace us::codegen {

/// The element at place[number ^ turned] of an array that all work-items share. The first of `width` work-items has a
/// number that is a multiple of `width`: so they access `width` elements that lie side by side, in an order that the
/// lowest bits of `turned` say.
struct PermutedPlace {
  const llvm::GetElementPtrInst *place;
  llvm::Value *number, *turned;
  bool isSigned; ///< a shorter index is made longer with its sign
};

/// Nothing: the place is of another kind, or bits that no constant says cannot be turned over quickly: a step for each
/// of them, for elements and for the mask of an access, takes longer than a gather.
std::optional<PermutedPlace> permutedPlace(const llvm::Value &pointer, const llvm::Type &accessed, bool isQuick,
                                           const Shapes &shapes, unsigned width);

} // namespace us::codegen
