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

void replaceByAddress(llvm::Function &kernel, llvm::GlobalVariable &variable, llvm::Value *base, uint64_t offset) {
  variable.removeDeadConstantUsers();
  llvm::convertUsersOfConstantsToInstructions({&variable});
  llvm::IRBuilder<> builder(kernel.getContext());
  auto *after = llvm::cast<llvm::Instruction>(base)->getNextNode();
  builder.SetInsertPoint(after);
  llvm::Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset, variable.getName());
  if (address->getType() != variable.getType()) address = builder.CreateAddrSpaceCast(address, variable.getType());
  variable.replaceUsesWithIf(address, [](llvm::Use &use) { return llvm::isa<llvm::Instruction>(use.getUser()); });
}

} // namespace us::codegen
