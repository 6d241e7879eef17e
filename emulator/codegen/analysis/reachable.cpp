// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/analysis/reachable.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/Error.h>

namespace us::codegen {

Reachable reachableFrom(llvm::Function &root) {
  Reachable result;
  llvm::SmallPtrSet<const llvm::Constant *, 32> seen;
  llvm::SmallVector<llvm::Constant *, 64> work{&root};
  seen.insert(&root);
  auto visit = [&](llvm::Value *value) {
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(value);
        constant && !llvm::isa<llvm::ConstantData>(constant) && seen.insert(constant).second)
      work.push_back(constant);
  };
  while (!work.empty()) {
    llvm::Constant *constant = work.pop_back_val();
    if (auto *function = llvm::dyn_cast<llvm::Function>(constant)) {
      result.functions.insert(function);
      // A body that cannot be read shows up as a missing symbol when the object is linked.
      if (llvm::Error error = function->materialize()) llvm::consumeError(std::move(error));
      for (llvm::Instruction &instruction : llvm::instructions(function))
        for (llvm::Value *operand : instruction.operands()) visit(operand);
      continue;
    }
    if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(constant)) result.variables.insert(variable);
    for (llvm::Value *operand : constant->operands()) visit(operand);
  }
  return result;
}

} // namespace us::codegen
