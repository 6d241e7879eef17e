// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-items that each walk a tree, with a stack of the nodes that are still to be looked at: neighbours come to most
// nodes alike, but not in the same turn, so that each lane would look for its own. Here those lanes take a turn that
// have the longest stack and are at one node: what belongs to it is loaded once for all of them. The others wait.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/Module.h>

namespace us::codegen {

/// What is asked of all lanes that come to a call of `lane.*`; the answer is the same for all of them.
enum class OfLanes : uint8_t {
  Nothing,  ///< something else
  Greatest, ///< i32 (i32): the greatest of the lanes' signed numbers
  First,    ///< i32 (i32, i1): the number of the first lane for which the condition holds
};
OfLanes ofLanes(const llvm::Instruction &instruction);
/// Removes the functions that nobody calls any more.
void dropLaneFunctions(llvm::Module &module);

/// Rewrites the outermost of the loops that are such walks, in the function of one turn of a work-item loop.
/// `isPrivate`: the pointer is one to memory of the work-item's own; `isDivergent`: lanes may have different values.
/// The loops are simplified and in LCSSA form before, and not behind it, and nothing that is known of the function
/// holds any more. False: there is none.
bool stepTogether(const llvm::LoopInfo &loops, llvm::function_ref<bool(llvm::Value *)> isPrivate,
                  llvm::function_ref<bool(llvm::Value *)> isDivergent);

} // namespace us::codegen
