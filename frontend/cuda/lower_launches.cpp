// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/lower_launches.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <set>

namespace us::frontend::cuda {
namespace {

/// The call that Clang makes before it calls the kernel, and the kernel's.
struct Launch {
  llvm::CallInst *configuration = nullptr, *kernel = nullptr;
};

/// Behind the configuration Clang branches: if it failed to the end, else to the arguments and the call. The call is
/// the last before the end.
llvm::CallInst *kernelCallOf(llvm::CallInst &configuration) {
  llvm::BranchInst *branch = nullptr;
  for (llvm::User *user : configuration.users())
    if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(user))
      for (llvm::User *next : compare->users())
        if (auto *found = llvm::dyn_cast<llvm::BranchInst>(next)) branch = found;
  if (!branch || !branch->isConditional()) return nullptr;
  llvm::BasicBlock *end = branch->getSuccessor(0);
  std::set<llvm::BasicBlock *> seen = {end};
  std::vector<llvm::BasicBlock *> open = {branch->getSuccessor(1)};
  llvm::CallInst *last = nullptr;
  while (!open.empty()) {
    llvm::BasicBlock *block = open.back();
    open.pop_back();
    if (!seen.insert(block).second) continue;
    llvm::append_range(open, llvm::successors(block));
    if (!llvm::is_contained(llvm::successors(block), end)) continue;
    for (llvm::Instruction &instruction : *block)
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && !llvm::isa<llvm::IntrinsicInst>(call))
        last = call;
  }
  return last && last->getType()->isVoidTy() && last != &configuration ? last : nullptr;
}

class Lowering {
public:
  explicit Lowering(llvm::Module &module)
      : module_(module), layout_(module.getDataLayout()), pointer_(llvm::PointerType::get(module.getContext(), 0)),
        word_(llvm::Type::getInt32Ty(module.getContext())) {}

  void lower(const Launch &launch) {
    llvm::CallInst &configuration = *launch.configuration, &kernel = *launch.kernel;
    // The temporaries with the sizes may be gone when the kernel is called.
    llvm::IRBuilder<> builder(&configuration);
    llvm::AllocaInst *shape[2];
    for (unsigned i = 0; i < 2; ++i) {
      llvm::Type *type = configuration.getParamByValType(i);
      shape[i] = new llvm::AllocaInst(type, 0, i == 0 ? "grid" : "block",
                                      configuration.getFunction()->getEntryBlock().begin());
      builder.CreateMemCpy(shape[i], llvm::Align(4), configuration.getArgOperand(i), llvm::Align(4),
                           layout_.getTypeAllocSize(type));
    }
    llvm::Value *shared = configuration.getArgOperand(2), *stream = configuration.getArgOperand(3);
    shared = builder.CreateTrunc(
        builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, shared, llvm::ConstantInt::get(shared->getType(), ~0u)),
        word_);

    builder.SetInsertPoint(&kernel);
    llvm::CallInst *buffer =
        builder.CreateCall(getBuffer(configuration), {kernel.getCalledOperand(), shape[0], shape[1], shared});
    for (unsigned i = 0; i < 2; ++i) passByValue(*buffer, i + 1, configuration.getParamByValType(i));
    llvm::Instruction *given =
        llvm::SplitBlockAndInsertIfThen(builder.CreateIsNotNull(buffer), kernel.getIterator(), false);
    builder.SetInsertPoint(given);
    putArguments(builder, kernel, buffer);
    builder.CreateCall(launchFunction(stream->getType()), {buffer, stream});

    markAsKernel(kernel.getCalledFunction());
    kernel.eraseFromParent();
    configuration.replaceAllUsesWith(llvm::ConstantInt::get(configuration.getType(), 0));
    configuration.eraseFromParent();
  }

private:
  static void passByValue(llvm::CallInst &call, unsigned argument, llvm::Type *type) {
    call.addParamAttr(argument, llvm::Attribute::getWithByValType(call.getContext(), type));
    call.addParamAttr(argument, llvm::Attribute::getWithAlignment(call.getContext(), llvm::Align(4)));
  }

  /// "Each parameter lies at the next offset that its alignment allows."
  void putArguments(llvm::IRBuilder<> &builder, llvm::CallInst &kernel, llvm::Value *buffer) {
    uint64_t at = 0;
    for (unsigned i = 0; i < kernel.arg_size(); ++i) {
      llvm::Value *value = kernel.getArgOperand(i);
      llvm::Type *blob = kernel.getParamByValType(i);
      llvm::Type *type = blob ? blob : value->getType();
      if (type->isIntegerTy(1)) {
        value = builder.CreateZExt(value, builder.getInt8Ty()); // bool
        type = value->getType();
      }
      const llvm::Align alignment =
          blob ? kernel.getParamAlign(i).value_or(layout_.getABITypeAlign(type)) : layout_.getABITypeAlign(type);
      at = llvm::alignTo(at, alignment);
      llvm::Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), buffer, at);
      const uint64_t size = layout_.getTypeAllocSize(type);
      if (blob)
        builder.CreateMemCpy(place, alignment, value, alignment, size);
      else
        builder.CreateAlignedStore(value, place, alignment);
      at += size;
    }
  }

  llvm::FunctionCallee getBuffer(llvm::CallInst &configuration) {
    llvm::FunctionCallee callee = module_.getOrInsertFunction(
        "cudaGetParameterBufferV2", llvm::FunctionType::get(pointer_, {pointer_, pointer_, pointer_, word_}, false));
    if (auto *function = llvm::dyn_cast<llvm::Function>(callee.getCallee());
        function && !function->hasParamAttribute(1, llvm::Attribute::ByVal))
      for (unsigned i = 0; i < 2; ++i) {
        function->addParamAttr(
            i + 1, llvm::Attribute::getWithByValType(module_.getContext(), configuration.getParamByValType(i)));
        function->addParamAttr(i + 1, llvm::Attribute::getWithAlignment(module_.getContext(), llvm::Align(4)));
      }
    return callee;
  }
  llvm::FunctionCallee launchFunction(llvm::Type *stream) {
    return module_.getOrInsertFunction("cudaLaunchDeviceV2", llvm::FunctionType::get(word_, {pointer_, stream}, false));
  }

  /// Clang marks the kernels that it defines only.
  void markAsKernel(llvm::Function *kernel) {
    if (!kernel || !kernel->isDeclaration() || !marked_.insert(kernel).second) return;
    llvm::LLVMContext &context = module_.getContext();
    module_.getOrInsertNamedMetadata("nvvm.annotations")
        ->addOperand(
            llvm::MDNode::get(context, {llvm::ConstantAsMetadata::get(kernel), llvm::MDString::get(context, "kernel"),
                                        llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(word_, 1))}));
  }

  llvm::Module &module_;
  const llvm::DataLayout &layout_;
  llvm::Type *pointer_, *word_;
  std::set<llvm::Function *> marked_;
};

} // namespace

llvm::PreservedAnalyses LowerLaunches::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  std::vector<Launch> launches;
  for (const char *name : {"__cudaPushCallConfiguration", "cudaConfigureCall"}) {
    llvm::Function *configure = module.getFunction(name);
    if (!configure) continue;
    for (llvm::User *user : configure->users())
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user); call && call->arg_size() == 4) {
        if (llvm::CallInst *kernel = kernelCallOf(*call))
          launches.push_back({call, kernel});
        else
          module.getContext().emitError(call, "the kernel of this launch is not found");
      }
  }
  if (launches.empty()) return llvm::PreservedAnalyses::all();
  Lowering lowering(module);
  for (const Launch &launch : launches) lowering.lower(launch);
  return llvm::PreservedAnalyses::none();
}

} // namespace us::frontend::cuda
