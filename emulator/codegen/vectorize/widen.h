// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for several work-items at once, out of the function of one.
#pragma once

#include "emulator/codegen/vectorize/cost.h"
#include "emulator/codegen/vectorize/lane_function.h"
#include "emulator/codegen/vectorize/shapes.h"
#include "emulator/codegen/vectorize/word_permutations.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/ValueHandle.h>

namespace us::codegen {

/// Where the code goes, and what it begins with.
struct WideTurn {
  llvm::BasicBlock *first;                             ///< empty; the code begins there
  llvm::BasicBlock *last;                              ///< where it goes on
  llvm::SmallVector<llvm::Value *, 4> inductions = {}; ///< of the first of the work-items
  llvm::SmallVector<llvm::Value *, 1> collected = {};  ///< of all of them
};

/// Atomic operations of all lanes on one place: one does what all of them do.
bool isCombined(const llvm::Instruction &instruction, const Shapes &shapes);
/// Any other operation that the lanes do one after another.
bool isSerial(const llvm::Instruction &instruction);
bool isDivision(const llvm::Instruction &instruction);
/// Side by side, a division that is one of floating-point numbers.
bool isDividedAsReal(const llvm::Instruction &division);

/// Whether vectors may stay whole, the elements of all lanes side by side: they are moved so, and nothing asks for one
/// element.
bool suitsWhole(LaneFunction &lanes, const Shapes &shapes);

/// Why a lane function cannot be made wide. Volatile accesses are taken where the lanes are a sub-group: they are in
/// step.
Obstacle obstacleToWidening(LaneFunction &lanes, bool takesVolatile);

/// What code is made for. Null: there are none.
struct Processor {
  const VectorCosts *costs;
  const WordPermutations *permutations;
};

/// Makes code for `width` work-items. Returns what the last of them has for the function's results; of what is
/// collected all of them.
llvm::SmallVector<llvm::WeakTrackingVH, 2> widen(LaneFunction &lanes, const Shapes &shapes, unsigned width,
                                                 const WideTurn &turn, const Processor &processor);

} // namespace us::codegen
