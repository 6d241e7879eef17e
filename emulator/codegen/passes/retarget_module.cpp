// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/retarget_module.h"

#include "emulator/codegen/host_layout.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace us::codegen {
namespace {

constexpr llvm::StringLiteral kTargetAttributes[] = {"approx-func-fp-math",
                                                     "correctly-rounded-divide-sqrt-fp-math",
                                                     "denormal-fp-math",
                                                     "denormal-fp-math-f32",
                                                     "frame-pointer",
                                                     "less-precise-fpmad",
                                                     "min-legal-vector-width",
                                                     "no-infs-fp-math",
                                                     "no-nans-fp-math",
                                                     "no-signed-zeros-fp-math",
                                                     "no-trapping-math",
                                                     "stack-protector-buffer-size",
                                                     "target-cpu",
                                                     "target-features",
                                                     "tune-cpu",
                                                     "unsafe-fp-math"};

constexpr llvm::StringLiteral kFrontEndMetadata[] = {"llvm.ident",
                                                     "opencl.ocl.version",
                                                     "opencl.spir.version",
                                                     "opencl.used.extensions",
                                                     "opencl.used.optional.core.features",
                                                     "opencl.cxx.version"};

void stripTarget(llvm::Module &module) {
  for (const llvm::StringLiteral &name : kFrontEndMetadata)
    if (llvm::NamedMDNode *node = module.getNamedMetadata(name)) module.eraseNamedMetadata(node);
  for (llvm::Function &function : module) {
    for (const llvm::StringLiteral &name : kTargetAttributes) function.removeFnAttr(name);
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      instruction.setMetadata(llvm::LLVMContext::MD_fpmath, nullptr);
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        for (const llvm::StringLiteral &name : kTargetAttributes) call->removeFnAttr(name);
    }
  }
}

bool isOpaque(llvm::Type *type) {
  if (llvm::isa<llvm::TargetExtType>(type)) return true;
  for (llvm::Type *part : type->subtypes())
    if (isOpaque(part)) return true;
  return false;
}

/// Maps target types to pointers, and whatever is made of them.
class OpaqueToPointer : public llvm::ValueMapTypeRemapper {
public:
  llvm::Type *remapType(llvm::Type *type) override {
    if (!isOpaque(type)) return type;
    if (llvm::isa<llvm::TargetExtType>(type)) return llvm::PointerType::get(type->getContext(), 0);
    llvm::SmallVector<llvm::Type *, 8> parts;
    for (llvm::Type *part : type->subtypes()) parts.push_back(remapType(part));
    if (auto *function = llvm::dyn_cast<llvm::FunctionType>(type))
      return llvm::FunctionType::get(parts[0], llvm::ArrayRef(parts).drop_front(), function->isVarArg());
    if (auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
      return llvm::ArrayType::get(parts[0], array->getNumElements());
    if (auto *vector = llvm::dyn_cast<llvm::VectorType>(type))
      return llvm::VectorType::get(parts[0], vector->getElementCount());
    auto *structure = llvm::cast<llvm::StructType>(type);
    if (structure->isLiteral()) return llvm::StructType::get(type->getContext(), parts, structure->isPacked());
    llvm::StructType *&replacement = structures_[structure];
    if (!replacement)
      replacement = llvm::StructType::create(type->getContext(), parts, structure->getName(), structure->isPacked());
    return replacement;
  }

private:
  llvm::DenseMap<llvm::StructType *, llvm::StructType *> structures_;
};

bool usesOpaqueTypes(llvm::Module &module) {
  for (llvm::GlobalVariable &variable : module.globals())
    if (isOpaque(variable.getValueType())) return true;
  for (llvm::Function &function : module) {
    if (isOpaque(function.getFunctionType())) return true;
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      if (isOpaque(instruction.getType())) return true;
      if (auto *slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction); slot && isOpaque(slot->getAllocatedType()))
        return true;
    }
  }
  return false;
}

/// Types cannot change in place: a function whose type changes is replaced by a new one that takes over its body.
void replaceOpaqueTypes(llvm::Module &module) {
  OpaqueToPointer types;
  llvm::ValueToValueMapTy values;
  llvm::SmallVector<llvm::GlobalObject *> replaced;
  for (llvm::GlobalVariable &variable : llvm::make_early_inc_range(module.globals())) {
    llvm::Type *type = types.remapType(variable.getValueType());
    if (type == variable.getValueType()) continue;
    // Opaque values have no constants but null and poison (which local variables begin with).
    llvm::Constant *initial = variable.hasInitializer() ? variable.getInitializer() : nullptr;
    if (initial)
      initial = llvm::isa<llvm::UndefValue>(initial) ? llvm::UndefValue::get(type) : llvm::Constant::getNullValue(type);
    auto *fresh = new llvm::GlobalVariable(module, type, variable.isConstant(), variable.getLinkage(), initial, "",
                                           &variable, variable.getThreadLocalMode(), variable.getAddressSpace());
    fresh->copyAttributesFrom(&variable);
    fresh->takeName(&variable);
    values[&variable] = fresh;
    replaced.push_back(&variable);
  }
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    auto *type = llvm::cast<llvm::FunctionType>(types.remapType(function.getFunctionType()));
    if (type == function.getFunctionType()) continue;
    llvm::Function *fresh = llvm::Function::Create(type, function.getLinkage(), function.getAddressSpace(), "");
    module.getFunctionList().insert(function.getIterator(), fresh);
    fresh->copyAttributesFrom(&function);
    fresh->copyMetadata(&function, 0);
    fresh->takeName(&function);
    fresh->splice(fresh->begin(), &function);
    for (auto [from, to] : llvm::zip(function.args(), fresh->args())) {
      to.takeName(&from);
      values[&from] = &to;
    }
    values[&function] = fresh;
    replaced.push_back(&function);
  }
  // Target types have a few constants of their own (null, none): pointers have null.
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      for (llvm::Use &operand : instruction.operands())
        if (auto *constant = llvm::dyn_cast<llvm::Constant>(operand.get());
            constant && llvm::isa<llvm::TargetExtType>(constant->getType()))
          values[constant] = llvm::Constant::getNullValue(types.remapType(constant->getType()));

  llvm::ValueMapper mapper(values, llvm::RF_IgnoreMissingLocals | llvm::RF_ReuseAndMutateDistinctMDs, &types);
  for (llvm::Function &function : module) mapper.remapFunction(function);
  for (llvm::GlobalObject *object : replaced) {
    object->replaceAllUsesWith(values[object]);
    object->eraseFromParent();
  }
}

/// Clang hands a sampler literal's bits to a function that would make a sampler of it; kernel IR has the bits.
void inlineSamplerLiterals(llvm::Module &module) {
  llvm::Function *function = module.getFunction("__translate_sampler_initializer");
  if (!function || !function->isDeclaration()) return;
  for (llvm::User *user : llvm::make_early_inc_range(function->users())) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    auto *bits = call ? llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0)) : nullptr;
    if (!bits || !call->getType()->isPointerTy()) continue;
    auto *wide = llvm::ConstantInt::get(llvm::Type::getInt64Ty(module.getContext()), bits->getZExtValue());
    call->replaceAllUsesWith(llvm::ConstantExpr::getIntToPtr(wide, call->getType()));
    call->eraseFromParent();
  }
  if (function->use_empty()) function->eraseFromParent();
}

} // namespace

llvm::PreservedAnalyses RetargetModule::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  const HostLayout &host = hostLayout();
  module.setTargetTriple(host.triple);
  module.setDataLayout(host.dataLayout);
  stripTarget(module);
  // Lists for a linker that we do not use; they would be taken for program-scope variables.
  for (const char *list : {"llvm.used", "llvm.compiler.used"})
    if (llvm::GlobalVariable *variable = module.getGlobalVariable(list)) variable->eraseFromParent();
  if (usesOpaqueTypes(module)) replaceOpaqueTypes(module);
  inlineSamplerLiterals(module);
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
