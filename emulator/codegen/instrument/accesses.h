// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The accesses to memory of a kernel, as the source has them.
#pragma once

#include "emulator/abi/check_classes.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Support/Alignment.h>

namespace us::codegen {

/// One pointer of an instruction that goes to memory.
struct Access {
  llvm::Instruction *instruction;
  llvm::WeakTrackingVH pointer; ///< it may come from memory, by an access that is replaced
  llvm::WeakTrackingVH bytes;   ///< a 64-bit number
  llvm::Align alignment;
  const char *operation;
};

/// Those of one instruction; none of what does not change while a kernel runs.
llvm::SmallVector<Access, 2> accessesOf(llvm::Instruction &instruction);

/// What a pointer was made from by steps that keep it in its memory.
llvm::Value *withoutSteps(llvm::Value *pointer);
/// The same without the last of them; null: there is none.
llvm::Value *withoutOneStep(llvm::Value *pointer);
/// The one argument that an address was calculated from, where nothing else in the calculation can be an address: PTX
/// has numbers for pointers. Products and numbers of fewer bits are distances.
llvm::Argument *baseOfNumber(llvm::Value *number);

/// PTX counts shared addresses from where the work-group's memory begins. The last step from there; null: the pointer
/// does not come from there.
llvm::GEPOperator *stepFromArena(llvm::Value *pointer);
/// The variable whose place such a number was calculated from, where nothing else in the calculation can be an address;
/// null: it is not known.
llvm::GlobalVariable *variableOfNumber(llvm::Value *number);

/// What all pointers were made from that one may be; an image argument where it is of its pixels. Null where it is not
/// one thing.
llvm::Value *rootOf(llvm::Value *pointer);

/// What of local memory that a pointer was made from: an argument or a variable, also of PTX; null: it is not known, or
/// none.
llvm::Value *localRootOf(llvm::Value *pointer);
/// Likewise, a private variable.
llvm::Value *privateRootOf(llvm::Value *pointer);

/// Makes values of some private variables.
void promoteTypes(llvm::Function &function, llvm::function_ref<bool(const llvm::AllocaInst &)> isPromoted);
/// The same in a kernel: of those of pointers, and of all others that are written on each way to where they are read;
/// without such a way only where it does not matter.
void promoteVariables(llvm::Function &kernel, abi::CheckSet checks);

} // namespace us::codegen
