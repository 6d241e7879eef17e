// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/lower_managed.h"

#include "frontend/cuda/annotations.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>

namespace us::frontend::cuda {
namespace {

constexpr const char *kAnnotation = "us.managed";

/// The variables that are annotated so.
std::vector<llvm::GlobalVariable *> takeManaged(llvm::Module &module) {
  std::vector<llvm::GlobalVariable *> managed;
  for (const Annotated &one : takeAnnotated(module, kAnnotation))
    if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(one.object)) managed.push_back(variable);
  return managed;
}

/// ptr @us.managed.address(ptr %slot): what is in the slot; if that is nothing yet, the runtime fills it first.
llvm::Function *makeAddressFunction(llvm::Module &module, llvm::GlobalVariable &handle) {
  llvm::LLVMContext &context = module.getContext();
  auto *pointer = llvm::PointerType::get(context, 0);
  auto *function = llvm::Function::Create(llvm::FunctionType::get(pointer, {pointer}, false),
                                          llvm::GlobalValue::InternalLinkage, "us.managed.address", module);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  auto *entry = llvm::BasicBlock::Create(context, "", function);
  auto *ask = llvm::BasicBlock::Create(context, "ask", function);
  auto *done = llvm::BasicBlock::Create(context, "done", function);
  llvm::IRBuilder<> builder(entry);
  llvm::Value *slot = function->getArg(0), *known = builder.CreateLoad(pointer, slot);
  builder.CreateCondBr(builder.CreateIsNull(known), ask, done);
  builder.SetInsertPoint(ask);
  const llvm::FunctionCallee init = module.getOrInsertFunction("__cudaInitModule", builder.getInt8Ty(), pointer);
  builder.CreateCall(init, builder.CreateLoad(pointer, &handle));
  llvm::Value *asked = builder.CreateLoad(pointer, slot);
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  llvm::PHINode *address = builder.CreatePHI(pointer, 2);
  address->addIncoming(known, entry);
  address->addIncoming(asked, ask);
  builder.CreateRet(address);
  return function;
}

void redirect(llvm::Module &module, llvm::GlobalVariable &variable, llvm::Function &addressOf) {
  auto *pointer = llvm::PointerType::get(module.getContext(), 0);
  auto *slot = new llvm::GlobalVariable(module, pointer, false, variable.getLinkage(),
                                        variable.isDeclaration() ? nullptr : llvm::ConstantPointerNull::get(pointer),
                                        variable.getName() + ".managed");
  slot->setVisibility(variable.getVisibility());
  llvm::convertUsersOfConstantsToInstructions({&variable});
  std::vector<llvm::Use *> uses;
  for (llvm::Use &use : variable.uses())
    if (llvm::isa<llvm::Instruction>(use.getUser())) uses.push_back(&use);
  for (llvm::Use *use : uses) {
    auto *instruction = llvm::cast<llvm::Instruction>(use->getUser());
    auto *call = llvm::dyn_cast<llvm::CallInst>(instruction);
    if (call && call->getCalledFunction() && call->getCalledFunction()->getName() == "__cudaRegisterVar") {
      call->setCalledFunction(module.getOrInsertFunction("__cudaRegisterManagedVar", call->getFunctionType()));
      use->set(slot);
      continue;
    }
    llvm::Instruction *before = instruction;
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(instruction)) before = phi->getIncomingBlock(*use)->getTerminator();
    use->set(llvm::IRBuilder<>(before).CreateCall(&addressOf, {slot}));
  }
}

} // namespace

llvm::PreservedAnalyses MarkManaged::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::LLVMContext &context = module.getContext();
  for (llvm::GlobalVariable *variable : takeManaged(module)) {
    llvm::Metadata *words[] = {
        llvm::ConstantAsMetadata::get(variable), llvm::MDString::get(context, "managed"),
        llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), 1))};
    module.getOrInsertNamedMetadata("nvvm.annotations")->addOperand(llvm::MDNode::get(context, words));
  }
  return llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses RedirectManaged::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  const std::vector<llvm::GlobalVariable *> managed = takeManaged(module);
  llvm::GlobalVariable *handle = module.getNamedGlobal("__cuda_gpubin_handle");
  if (managed.empty() || !handle) return llvm::PreservedAnalyses::all();
  llvm::Function *addressOf = makeAddressFunction(module, *handle);
  for (llvm::GlobalVariable *variable : managed) redirect(module, *variable, *addressOf);
  return llvm::PreservedAnalyses::none();
}

} // namespace us::frontend::cuda
