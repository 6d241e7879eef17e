// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/name_block_kernels.h"

#include "emulator/abi/block_kernels.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

bool callsThroughPointers(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && call->isIndirectCall()) return true;
  return false;
}

/// Replaces every use of the function as a value.
void replaceAddress(llvm::Function &function, llvm::Constant *by) {
  function.replaceUsesWithIf(by, [](llvm::Use &use) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
    const bool inConstant = llvm::isa<llvm::Constant>(use.getUser()) && !llvm::isa<llvm::GlobalValue>(use.getUser());
    return !inConstant && (!call || !call->isCallee(&use));
  });
  // Constants are unique, and take their users along.
  llvm::SmallVector<llvm::Constant *> users;
  for (llvm::User *user : function.users())
    if (auto *constant = llvm::dyn_cast<llvm::Constant>(user); constant && !llvm::isa<llvm::GlobalValue>(constant))
      users.push_back(constant);
  for (llvm::Constant *user : users) user->handleOperandChange(&function, by);
}

llvm::Constant *nameOf(llvm::Function &kernel) {
  llvm::Module &module = *kernel.getParent();
  llvm::Constant *text = llvm::ConstantDataArray::getString(module.getContext(), kernel.getName());
  auto *name = new llvm::GlobalVariable(module, text->getType(), true, llvm::GlobalValue::PrivateLinkage, text,
                                        "block.name", nullptr, llvm::GlobalValue::NotThreadLocal, 2);
  return llvm::ConstantExpr::getAddrSpaceCast(name, kernel.getType());
}

/// Clang's wrapper around a block has no lines; without, the block's own would be lost when it is inlined.
void giveLines(llvm::Function &kernel) {
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    llvm::DISubprogram *source =
        call && call->getCalledFunction() ? call->getCalledFunction()->getSubprogram() : nullptr;
    if (!source || kernel.getSubprogram()) continue;
    llvm::DISubprogram *own = llvm::MDNode::replaceWithDistinct(source->clone());
    kernel.setSubprogram(own);
    for (llvm::Instruction &each : llvm::instructions(kernel))
      each.setDebugLoc(llvm::DILocation::get(kernel.getContext(), source->getLine(), 0, own));
    return;
  }
}

} // namespace

llvm::PreservedAnalyses NameBlockKernels::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::SmallVector<llvm::Function *> kernels;
  for (llvm::Function &function : module)
    if (function.hasFnAttribute("us-block-kernel")) kernels.push_back(&function);
  for (llvm::Function *kernel : kernels) {
    kernel->removeFnAttr("us-block-kernel");
    giveLines(*kernel);
    kernel->setName(kernel->getName() + llvm::StringRef(abi::kBlockKernelMark.data(), abi::kBlockKernelMark.size()));
    kernel->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
    kernel->setLinkage(llvm::GlobalValue::ExternalLinkage);
    replaceAddress(*kernel, nameOf(*kernel));
  }
  // What a literal holds for those who call the block through it.
  bool changed = !kernels.empty();
  if (!callsThroughPointers(module))
    for (llvm::Function &function : module) {
      if (function.isDeclaration() || function.isIntrinsic() || !function.hasLocalLinkage() ||
          !function.hasAddressTaken())
        continue;
      replaceAddress(function, llvm::ConstantPointerNull::get(function.getType()));
      changed = true;
    }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
