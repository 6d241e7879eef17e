// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the builtin library that calculate with the values of a whole sub-group: `us_lanes_f` is called by each
// work-item, and calls `us_wide_f`, whose arguments are vectors of all work-items' (docs/ir-conventions.md).
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace us::codegen {

bool isOfAllLanes(const llvm::Instruction &instruction);
/// The function of whole vectors that such a call is to be one of; null: it is another.
llvm::Function *wideCallee(const llvm::Instruction &instruction);

bool hasWideCalls(const llvm::Function &function);
/// Removes the functions of that kind that nobody calls any more; whether there were any.
bool dropLanesFunctions(llvm::Module &module);
/// Removes all of them where work-items are not side by side, so that no call is reached.
void dropWideCalls(llvm::Module &module);

/// Calls of whole vectors only read: what one of them was given in memory is not stored again for the next.
void dropRepeatedStores(llvm::Function &function);

/// Products of matrices have their sums in another order than the registers of work-items: what is put into one order
/// and back again, be it round a loop, stays as it is.
bool keepRowOrder(llvm::Function &function, const llvm::LoopInfo &loops);

} // namespace us::codegen
