// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// hide_wrapping_numbers — a number that counts up from zero, may wrap round and is made longer as a part of a place is
/// one of which nothing is known any more.
///
///   before:  %d = and i32 (mul i32 %i, 2), 15         after:  %d = freeze i32 (and i32 (mul i32 %i, 2), 15)
///            %x = load i32, %t[%i - %d]                       %x = load i32, %t[%i - %d]
///
/// LLVM 19's loop vectorizer takes such places for evenly spaced and tests before the loop that the number, here one of
/// 4 bits, does not wrap. Where it begins at zero the test is that nothing lies below zero, and the product of step and
/// turns, which does not fit, is not looked at (SCEVExpander::generateOverflowCheck).
struct HideWrappingNumbers : llvm::PassInfoMixin<HideWrappingNumbers> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
};

} // namespace us::codegen
