// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What some of the work-items side by side do, once more for vectors in which all do it.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Instructions.h>

namespace us::codegen {

/// What lies behind a branch that is taken if any lane of a mask is asked, and can be come to that way only, is done
/// without masks where all lanes are.
///
///   before:  if (any(mask)) { x = masked load; … masked store }
///   after:   if (all(mask)) { x = load; … store } else if (any(mask)) { x = masked load; … masked store }
///
/// Only where the mask is calculated from numbers of work-items alone (edges, bounds, a hole in a row), as most vectors
/// are whole then, where memory is accessed under it, and where it is little code.
void copyForWholeVectors(llvm::Function &function, llvm::ArrayRef<llvm::BranchInst *> guards);

} // namespace us::codegen
