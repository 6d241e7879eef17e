// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places in tables that are so short that registers hold them.
#pragma once

#include "emulator/codegen/vectorize/cost.h"

#include <llvm/IR/Instructions.h>

#include <optional>

namespace us::codegen {

/// `base[index]`, of which the table may be read as far as the index may go, whoever asks for what.
struct SmallTable {
  llvm::Value *base, *index; ///< the one of all lanes, the other of each: a number without a sign
  unsigned elementBytes;     ///< 1, 2 or 4
  unsigned words;            ///< of 32 bits, that the index reaches: not more than registers hold

  /// Operations on registers of `lanes` words to look up as many elements.
  unsigned steps(unsigned lanes, bool takesTwo) const;
};

/// Of the place in scalar code, or of all lanes' in vectors. Nothing: it is of another kind, or gathers are quicker.
std::optional<SmallTable> smallTable(const llvm::Value &place, llvm::Type &element, const llvm::Instruction &at,
                                     const VectorCosts &costs);
/// Of a load of one work-item whose place is another for each.
std::optional<SmallTable> smallTable(const llvm::LoadInst &load, const Shapes &shapes, const VectorCosts &costs);

} // namespace us::codegen
