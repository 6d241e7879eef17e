// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/module_variables.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>

namespace us::codegen {

std::optional<uint64_t> assignedOffset(const llvm::GlobalVariable &variable) {
  const llvm::MDNode *node = variable.getMetadata("us.offset");
  if (!node) return std::nullopt;
  return llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(0))->getZExtValue();
}

bool isUsedIn(const llvm::Function &function, llvm::GlobalVariable &variable) {
  variable.removeDeadConstantUsers();
  llvm::convertUsersOfConstantsToInstructions({&variable});
  return llvm::any_of(variable.users(), [&](const llvm::User *user) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
    return instruction && instruction->getFunction() == &function;
  });
}

void replaceByAddress(llvm::Function &function, llvm::GlobalVariable &variable, llvm::Value *base, uint64_t offset) {
  variable.removeDeadConstantUsers();
  llvm::convertUsersOfConstantsToInstructions({&variable});
  llvm::IRBuilder<> builder(function.getContext());
  auto *after = llvm::cast<llvm::Instruction>(base)->getNextNode();
  builder.SetInsertPoint(after);
  llvm::Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset, variable.getName());
  if (address->getType() != variable.getType()) address = builder.CreateAddrSpaceCast(address, variable.getType());
  variable.replaceUsesWithIf(address, [&function](llvm::Use &use) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    return instruction && instruction->getFunction() == &function;
  });
}

} // namespace us::codegen
