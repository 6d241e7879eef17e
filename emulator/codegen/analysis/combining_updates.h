// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations of which several to one place can be made one, in any order and grouping, with the same result.
#pragma once

#include "emulator/abi/argument_copies.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>

namespace us::codegen {

struct CombiningUpdate {
  llvm::AtomicRMWInst::BinOp operation;
  abi::Combination combination; ///< what several of them come to; a subtraction is the sum of what is subtracted
  llvm::Intrinsic::ID reduction;
  bool isIdempotent; ///< done twice it is the same as done once
};

/// Null: it is none, or not of integers.
const CombiningUpdate *combiningUpdate(const llvm::AtomicRMWInst &update);
/// What changes nothing.
llvm::Constant *identityOf(abi::Combination combination, llvm::Type *type);

} // namespace us::codegen
