// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instructions that put a register's words of 32 bits into an order that is known only when they run.
#pragma once

#include "emulator/abi/targets.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>

namespace us::codegen {

struct WordPermutations {
  unsigned lanes;                ///< words of a register
  bool hasMasks;                 ///< in registers of their own
  llvm::Intrinsic::ID of, ofTwo; ///< registers, by an index of each word; the latter none: there is no such instruction
};

/// Null: the target has none.
const WordPermutations *wordPermutations(abi::Target target);

/// The words of a vector from `first` on that fill a register; behind the vector's end there are none.
llvm::Value *registerOf(llvm::IRBuilderBase &builder, const WordPermutations &by, llvm::Value *vector, unsigned first);
/// The first `lanes` words of registers.
llvm::Value *vectorOf(llvm::IRBuilderBase &builder, llvm::ArrayRef<llvm::Value *> registers, unsigned lanes);

} // namespace us::codegen
