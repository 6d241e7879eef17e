// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/lower_kernel_arguments.h"

#include "emulator/abi/image_abi.h"
#include "emulator/codegen/argument_layout.h"
#include "emulator/codegen/kernel_description.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

/// A by-value structure that the kernel only reads is used where it lies; else each work-item gets a copy.
bool onlyRead(const llvm::Value *pointer) {
  for (const llvm::User *user : pointer->users()) {
    if (llvm::isa<llvm::LoadInst>(user)) continue;
    if (llvm::isa<llvm::GetElementPtrInst>(user)) {
      if (!onlyRead(user)) return false;
      continue;
    }
    auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(user);
    if (copy && !copy->isVolatile() && copy->getRawSource() == pointer && copy->getRawDest() != pointer) continue;
    return false;
  }
  return true;
}

/// Fields of an image's descriptor may be loaded wherever that is best, also in front of a loop that might not need
/// them.
void describeDescriptor(llvm::Value *loaded) {
  auto *load = llvm::dyn_cast<llvm::LoadInst>(loaded);
  if (!load) return;
  llvm::LLVMContext &context = load->getContext();
  auto number = [&](uint64_t value) {
    auto *constant = llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), value);
    return llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(constant));
  };
  load->setMetadata(llvm::LLVMContext::MD_dereferenceable, number(sizeof(abi::ImageDescriptor)));
  load->setMetadata(llvm::LLVMContext::MD_align, number(alignof(abi::ImageDescriptor)));
  load->setMetadata(llvm::LLVMContext::MD_nonnull, llvm::MDNode::get(context, {}));
}

llvm::Value *argumentValue(llvm::IRBuilder<> &builder, llvm::Argument &argument, const ArgumentPlace &place,
                           llvm::Value *block) {
  if (argument.hasByValAttr()) {
    llvm::Value *stored = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block, place.offset);
    if (onlyRead(&argument)) return stored;
    auto *copy = builder.CreateAlloca(argument.getParamByValType(), nullptr, argument.getName());
    copy->setAlignment(llvm::Align(place.alignment));
    builder.CreateMemCpy(copy, copy->getAlign(), stored, llvm::Align(place.alignment), place.size);
    return copy;
  }
  if (argument.getType()->isPointerTy() && argument.getType()->getPointerAddressSpace() == 3) {
    llvm::Value *offset = loadInvariant(builder, builder.getInt64Ty(), block, place.offset);
    llvm::Value *arena = loadLocalArena(builder, argument.getType());
    return builder.CreateInBoundsGEP(builder.getInt8Ty(), arena, offset, argument.getName());
  }
  llvm::Value *value = loadInvariant(builder, argument.getType(), block, place.offset, argument.getName());
  if (argumentKind(argument) == ArgumentKind::Image) describeDescriptor(value);
  return value;
}

} // namespace

llvm::PreservedAnalyses LowerKernelArguments::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::Function &old = *module.getFunction(request.kernel);
  const ArgumentLayout layout = argumentLayout(old);
  auto *type = llvm::FunctionType::get(old.getReturnType(), false);
  llvm::Function *kernel = llvm::Function::Create(type, old.getLinkage(), old.getAddressSpace(), "", &module);
  kernel->takeName(&old);
  kernel->copyAttributesFrom(&old);
  kernel->setAttributes(llvm::AttributeList().addFnAttributes(
      old.getContext(), llvm::AttrBuilder(old.getContext(), old.getAttributes().getFnAttrs())));
  kernel->splice(kernel->begin(), &old);
  kernel->setSubprogram(old.getSubprogram());
  old.setSubprogram(nullptr);

  if (!old.arg_empty()) {
    llvm::IRBuilder<> builder(&*kernel->getEntryBlock().getFirstInsertionPt());
    llvm::Value *block =
        loadLaunchField(builder, builder.getPtrTy(), offsetof(abi::LaunchContext, arguments), "arguments");
    if (layout.size && llvm::isa<llvm::LoadInst>(block)) {
      auto *size = llvm::ConstantAsMetadata::get(builder.getInt64(layout.size));
      llvm::cast<llvm::LoadInst>(block)->setMetadata(llvm::LLVMContext::MD_dereferenceable,
                                                     llvm::MDNode::get(builder.getContext(), size));
    }
    for (llvm::Argument &argument : old.args())
      if (!argument.use_empty())
        argument.replaceAllUsesWith(argumentValue(builder, argument, layout.places[argument.getArgNo()], block));
  }
  old.replaceAllUsesWith(llvm::PoisonValue::get(old.getType()));
  old.eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
