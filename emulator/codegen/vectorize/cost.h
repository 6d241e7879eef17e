// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What work-items cost one after another and side by side, in scalar operations.
#pragma once

#include "emulator/abi/targets.h"
#include "emulator/codegen/vectorize/lane_function.h"
#include "emulator/codegen/vectorize/shapes.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Support/MathExtras.h>

namespace us::codegen {

/// What a processor needs for operations on vectors.
struct VectorCosts {
  unsigned registerBits; ///< a longer vector takes the time of several operations
  float gather, scatter; ///< of an element
  float narrow;          ///< times these, of an element of less than 32 bits: there is no such gather or scatter
  bool gathersWords;     ///< an instruction does
  unsigned maskedBits;   ///< of the shortest elements side by side that are accessed under a mask at once
  float maskedStore;     ///< more for such a store of a register than without a mask
  float serial;          ///< of a lane, of what lanes do one after another
  bool hasFma;           ///< else it is a call
  float division;        ///< of an element of 64 bits: there is no such operation on vectors
  float quotient;        ///< of a register of shorter ones by a constant: a product's upper half, and shifts
  float product;         ///< by what lanes share, and
  float realDivision;    ///< by what they do not: as floating-point numbers (isDividedAsReal)
  float divergentLoop;   ///< turns for all lanes, by those that a lane needs
  unsigned longestBits;  ///< of a register
  unsigned tableWords;   ///< of the longest table that is looked up in registers (look_up_in_registers); 0: of none

  /// As all have that access single bytes under a mask.
  bool hasMaskRegisters() const { return maskedBits == 8; }
  /// Words of a register are put into any order by one instruction.
  bool permutesWords() const { return tableWords != 0; }
  /// Those that may be carried around a loop: of 32, which processors with mask registers have, or of 16. The others
  /// are for what is calculated there.
  unsigned carriedRegisters() const { return hasMaskRegisters() ? 24 : 12; }
  /// Those that a vector takes; of what is none, none.
  unsigned registersOf(const llvm::Type &type) const {
    return type.isVectorTy() ? unsigned(llvm::divideCeil(type.getPrimitiveSizeInBits().getFixedValue(), registerBits))
                             : 0;
  }
};

/// Of the machine that code is made for; null: its vectors lack what masks need.
const VectorCosts *vectorCosts(abi::Target target);

/// Of one work-item, in the loop as it is, or in its function.
float scalarCost(const llvm::Loop &loop, const llvm::LoopInfo &loops, const VectorCosts &costs);
float scalarCost(LaneFunction &lanes, const VectorCosts &costs);
/// Of `width` work-items.
float vectorCost(LaneFunction &lanes, const Shapes &shapes, unsigned width, const VectorCosts &costs);

} // namespace us::codegen
