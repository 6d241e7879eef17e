// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/assign_memory_offsets.h"

#include "emulator/codegen/local_memory_layout.h"
#include "emulator/codegen/program_variable_layout.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

void setOffset(llvm::GlobalVariable &variable, uint64_t offset) {
  llvm::LLVMContext &context = variable.getContext();
  auto *constant = llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), offset);
  variable.setMetadata("us.offset", llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(constant)));
}

} // namespace

llvm::PreservedAnalyses AssignMemoryOffsets::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  for (auto [variable, offset] : localMemoryLayout(*module.getFunction(request.kernel)).variables)
    setOffset(*variable, offset);
  for (auto [variable, offset] : programVariableOffsets(module)) setOffset(*variable, offset);
  return llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
