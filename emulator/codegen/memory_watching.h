// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loops wait for memory to change: what yield_in_waiting_loops and the inliner must know.
#pragma once

#include <llvm/ADT/SmallVector.h>

namespace llvm {
class DominatorTree;
class Function;
class Instruction;
class Loop;
class LoopInfo;
} // namespace llvm

namespace us::codegen {

/// Reads memory that others may change meanwhile: atomically, or as volatile; not the work-item's own stack.
bool watchesMemory(const llvm::Instruction &instruction);

/// The loops of a function that are left only when what they watch has changed.
llvm::SmallVector<llvm::Loop *, 4> waitingLoops(const llvm::LoopInfo &loops, const llvm::DominatorTree &dominators);

} // namespace us::codegen
