// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// us.check(kind, bits): the check fails if a bit is set.
#pragma once

#include "emulator/abi/checks.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

namespace us::codegen {

/// Every call of us.check of that kind in the function.
llvm::SmallVector<llvm::CallInst *, 8> checksIn(llvm::Function &function, abi::Check kind);

abi::Check checkKind(const llvm::CallBase &check);
llvm::Value *checkedBits(const llvm::CallBase &check);

void createCheck(llvm::IRBuilderBase &builder, abi::Check kind, llvm::Value *bits);

/// if (bits != 0) the launch ends with the check's error; before an instruction.
void failAtOnce(llvm::Instruction *before, abi::Check kind, llvm::Value *bits);

} // namespace us::codegen
